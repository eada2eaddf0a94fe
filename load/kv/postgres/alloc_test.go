package postgres

import (
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

// TestNoAllocations is about what records become on their way.
func TestNoAllocations(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates")
	}
	in := record("plain", "\x00\xff\"", "x")
	var out kv.Record
	var text []byte
	names := numbers()
	if n := testing.AllocsPerRun(100, func() {
		text = appendObject(text[:0], fieldNames, in)
		out.Reset()
		if err := decodeObject(&out, text, names); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations for an object, want none", n)
	}
}

// checkAllocations is about whole operations: pgx makes a text of the command's
// result, and that is all.
func checkAllocations(t *testing.T, server *servers.Server) {
	if underRace {
		t.Skip("the race detector allocates")
	}
	for _, form := range []string{layoutColumns, layoutJSONB} {
		set := settings(servers.PostgresDSN(server.Addr))
		set.Table = "allocations_" + form
		set.Props["postgres.layout"] = form
		s := begin(t, set)
		key, one := []byte("k"), record("new")
		if err := s.Insert(ctx, key, record("a", "b", "c")); err != nil {
			t.Fatal(err)
		}
		var out kv.Record
		var rows kv.Records
		for name, do := range map[string]func() error{
			"read":   func() error { return s.Read(ctx, key, nil, &out) },
			"update": func() error { return s.Update(ctx, key, one) },
			"scan":   func() error { _, err := s.Scan(ctx, key, 10, nil, &rows); return err },
		} {
			if n := testing.AllocsPerRun(100, func() {
				if err := do(); err != nil {
					t.Fatal(err)
				}
			}); n > 1 {
				t.Errorf("%s, layout %s: %v allocations, want 1", name, form, n)
			}
		}
	}
}

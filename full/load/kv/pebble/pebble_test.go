package pebble_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	raw "github.com/cockroachdb/pebble/v2"

	"github.com/tarebench/tare/full/load/kv/pebble"
	"github.com/tarebench/tare/internal/testkit/loadtest"
	"github.com/tarebench/tare/load/kv"
)

func TestConformance(t *testing.T) {
	loadtest.Run(t, loadtest.Config{Open: pebble.Open, Embedded: true})
}

func BenchmarkPebble(b *testing.B) {
	loadtest.Bench(b, loadtest.Config{Open: pebble.Open})
}

func TestBadProperties(t *testing.T) {
	place := t.TempDir()
	t.Setenv("TMPDIR", place)
	for _, c := range []struct {
		props kv.Properties
		table string
		want  string
	}{
		{kv.Properties{"pebble.sync": "perhaps"}, "t", "property pebble.sync=perhaps: want true or false"},
		{kv.Properties{"pebble.cache": "0"}, "t", "property pebble.cache=0: want a size above 0"},
		{kv.Properties{"pebble.cache": "5 parsecs"}, "t", "want a size"},
		{kv.Properties{"pebble.cache": "9999999999GiB"}, "t", "want a size"},
		{kv.Properties{"pebble.cash": "1"}, "t", "unknown property pebble.cash: did you mean pebble.cache?"},
		{nil, "a\x00b", "zero byte"},
	} {
		db, err := pebble.Open(context.Background(), kv.Settings{Props: c.props, Table: c.table})
		if err == nil {
			db.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %s", c.props, err, c.want)
		}
	}
	if left, _ := os.ReadDir(place); len(left) > 0 {
		t.Errorf("a failed Open left %v", left)
	}
}

// TestForeignData opens a database in which something else was written, and one
// in which a file is missing.
func TestForeignData(t *testing.T) {
	dir := t.TempDir()
	other, err := raw.Open(filepath.Join(dir, "tare.pebble"), &raw.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Set([]byte("usertable\x00user1"), []byte("\x01\x7fshort"), raw.Sync); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := pebble.Binding().OpenDB(context.Background(), kv.Settings{Table: "usertable", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := db.Session(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	var v kv.Record
	var rows kv.Records
	v.AppendString(1, "x")
	ctx, key := context.Background(), []byte("user1")
	_, scanned := s.Scan(ctx, key, 5, nil, &rows)
	for what, err := range map[string]error{
		"read": s.Read(ctx, key, nil, new(kv.Record)), "scan": scanned, "update": s.Update(ctx, key, &v),
	} {
		if err == nil || !strings.Contains(err.Error(), what+` "user1": damaged record: field 1 has 127 bytes, of which 5 are there`) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	manifests, err := filepath.Glob(filepath.Join(dir, "tare.pebble", "MANIFEST-*"))
	if err != nil || len(manifests) == 0 {
		t.Fatalf("manifests %v, %v", manifests, err)
	}
	for _, m := range manifests {
		os.Remove(m)
	}
	if db, err := pebble.Open(context.Background(), kv.Settings{Table: "usertable", Dir: dir}); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a damaged database: %v, error %v", db, err)
	}
}

func TestNotes(t *testing.T) {
	for _, c := range []struct{ sync, note string }{
		{"false", "sync=false: writes are not flushed to disk"},
		{"true", "sync=true: the log is flushed to disk at each write"},
	} {
		db, err := pebble.Open(context.Background(), kv.Settings{Props: kv.Properties{"pebble.sync": c.sync}, Table: "t"})
		if err != nil {
			t.Fatal(err)
		}
		caps := db.Capabilities()
		if !slices.Contains(caps.Notes, c.note) || (len(caps.Weak) > 0) != (c.sync == "false") || !strings.HasPrefix(caps.Name, "pebble") {
			t.Errorf("%+v", caps)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

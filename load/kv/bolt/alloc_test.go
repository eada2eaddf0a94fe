package bolt

import (
	"context"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/tarebench/tare/internal/client/kvcodec"
	"github.com/tarebench/tare/load/kv"
)

// TestAddsNoAllocations compares operations with what the library allocates for
// the same transactions by itself.
func TestAddsNoAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	ctx := context.Background()
	d, err := Open(ctx, kv.Settings{Table: "usertable"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s, err := d.Session(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var v, dst kv.Record
	for f := range 10 {
		v.AppendString(f, strings.Repeat("x", 100))
	}
	data, key := kvcodec.Append(nil, &v), []byte("user1")
	lib, table := d.(*db).bolt, []byte("usertable")
	put := func(tx *bbolt.Tx) error { return tx.Bucket(table).Put(key, data) }
	change := func(tx *bbolt.Tx) error {
		b := tx.Bucket(table)
		b.Get(key)
		return b.Put(key, data)
	}
	read := func() error {
		tx, err := lib.Begin(false)
		if err != nil {
			return err
		}
		tx.Bucket(table).Get(key)
		return tx.Rollback()
	}
	for _, op := range []struct {
		name       string
		ours, bare func() error
	}{
		{"insert", func() error { return s.Insert(ctx, key, &v) }, func() error { return lib.Update(put) }},
		{"read", func() error { return s.Read(ctx, key, nil, &dst) }, read},
		{"update", func() error { return s.Update(ctx, key, &v) }, func() error { return lib.Update(change) }},
	} {
		count := func(do func() error) float64 {
			return testing.AllocsPerRun(200, func() {
				if err := do(); err != nil {
					t.Fatal(err)
				}
			})
		}
		ours, bare := count(op.ours), count(op.bare)
		if ours > bare+1 { // the library's own number varies with its pages
			t.Errorf("%s: %v allocations, of which the library does %v", op.name, ours, bare)
		}
		t.Logf("%s: %v allocations, bare %v", op.name, ours, bare)
	}
}

package mem_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mem"
)

func TestConformance(t *testing.T) {
	loadtest.Run(t, loadtest.Config{Open: mem.Open})
}

func BenchmarkMem(b *testing.B) {
	loadtest.Bench(b, loadtest.Config{Open: mem.Open})
}

func TestUnknownProperty(t *testing.T) {
	_, err := mem.Binding().OpenDB(context.Background(), kv.Settings{Props: kv.Properties{"mem.size": "5"}})
	if err == nil || !strings.Contains(err.Error(), "unknown property mem.size") {
		t.Errorf("error %v", err)
	}
}

// TestAllocations: reads, updates and scans allocate nothing, also where values
// change their length.
func TestAllocations(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	db, err := mem.Open(ctx, kv.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := db.Session(ctx, 0)
	if err != nil {
		t.Fatal(err)
	}
	var v kv.Record
	keys := make([][]byte, 300)
	for i := range keys {
		keys[i] = fmt.Appendf(nil, "user%d", i*7919%1000)
		v.Reset()
		for f := range 10 {
			v.AppendString(f, strings.Repeat("x", 100))
		}
		if err := s.Insert(ctx, keys[i], &v); err != nil {
			t.Fatal(err)
		}
	}
	var same, other [4]kv.Record
	for i := range same {
		same[i].AppendString(i, strings.Repeat("y", 100))
		other[i].AppendString(9, strings.Repeat("z", 20*i))
	}
	var dst kv.Record
	var rows kv.Records
	field, missing := []int{7}, []byte("missing")
	i := 0
	for _, op := range []struct {
		name string
		do   func(key []byte) error
	}{
		{"read", func(key []byte) error { return s.Read(ctx, key, nil, &dst) }},
		{"read of a field", func(key []byte) error { return s.Read(ctx, key, field, &dst) }},
		{"read of nothing", func([]byte) error { return fine(s.Read(ctx, missing, nil, &dst)) }},
		{"update in place", func(key []byte) error { return s.Update(ctx, key, &same[i%4]) }},
		{"update", func(key []byte) error { return s.Update(ctx, key, &other[i%4]) }},
		{"insert of what is there", func(key []byte) error { return s.Insert(ctx, key, &v) }},
		{"scan", func(key []byte) error { _, err := s.Scan(ctx, key, 50, nil, &rows); return err }},
	} {
		run := func() {
			if err := op.do(keys[i%len(keys)]); err != nil {
				t.Fatalf("%s: %v", op.name, err)
			}
			i++
		}
		for range 3 * len(keys) {
			run() // buffers find their sizes
		}
		if n := testing.AllocsPerRun(500, run); n != 0 {
			t.Errorf("%s: %v allocations", op.name, n)
		}
	}
}

func fine(err error) error {
	if err == kv.ErrNotFound {
		return nil
	}
	return fmt.Errorf("error %v, want not found", err)
}

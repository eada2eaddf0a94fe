package memcached

import (
	"testing"

	"github.com/tarebench/tare/load"
)

func TestNoAllocations(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates")
	}
	in, update := record("a", "b", "c"), record("new")
	var out load.Record
	var blob, merged []byte
	if n := testing.AllocsPerRun(100, func() {
		blob = appendRecord(blob[:0], in)
		var err error
		if merged, err = merge(merged[:0], blob, update); err != nil {
			t.Fatal(err)
		}
		out.Reset()
		if err := split(&out, merged, nil); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

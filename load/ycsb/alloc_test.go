package ycsb

import (
	"context"
	"testing"

	"github.com/tarebench/tare/load"
)

// TestNoAllocations: once every buffer has grown, no operation but an insert of
// the store itself allocates.
func TestNoAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	mixed := []string{"readproportion", "0.4", "updateproportion", "0.3", "scanproportion", "0.1", "readmodifywriteproportion", "0.2", "insertproportion", "0"}
	tests := map[string][]string{
		"uniform":       {"requestdistribution", "uniform"},
		"zipfian":       {"requestdistribution", "zipfian"},
		"zipfian-exact": {"requestdistribution", "zipfian-exact", "zipfian.theta", "1.2"},
		"latest":        {"requestdistribution", "latest"},
		"hotspot":       {"requestdistribution", "hotspot"},
		"exponential":   {"requestdistribution", "exponential"},
		"sequential":    {"requestdistribution", "sequential"},
		"integrity":     {"dataintegrity", "true"},
		"by name":       {"readallfieldsbyname", "true", "writeallfields", "true"},
		"one field":     {"readallfields", "false", "keyprefix", "a long prefix of keys "},
		"lengths":       {"fieldlengthdistribution", "zipfian", "fieldlength", "500", "writeallfields", "true", "maxscanlength", "3"},
	}
	for name, pairs := range tests {
		t.Run(name, func(t *testing.T) {
			c := workload(t, "e", append(mixed, append([]string{"recordcount", "200"}, pairs...)...)...)
			target, err := New(c, loaded(t, c))
			if err != nil {
				t.Fatal(err)
			}
			checkNoAllocations(t, open(t, target, 0))
		})
	}
	t.Run("inserts", func(t *testing.T) {
		c := workload(t, "d")
		target, err := New(c, idle{})
		if err != nil {
			t.Fatal(err)
		}
		checkNoAllocations(t, open(t, target, 0))
	})
	t.Run("load phase", func(t *testing.T) {
		target, err := Loader(workload(t, "d", "recordcount", "100000"), idle{})
		if err != nil {
			t.Fatal(err)
		}
		checkNoAllocations(t, open(t, target, 0))
	})
}

func checkNoAllocations(t *testing.T, w load.Worker) {
	t.Helper()
	k, ctx, timer := uint64(0), context.Background(), new(load.Timer)
	some := func() {
		for range 500 {
			w.Prepare(k)
			if err := w.Done(w.Do(ctx, timer)); err != nil {
				t.Fatal(err)
			}
			k++
		}
	}
	for range 40 {
		some()
	}
	if n := testing.AllocsPerRun(10, some); n > 0 {
		t.Errorf("500 operations allocate %v times", n)
	}
}

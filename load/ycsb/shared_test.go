package ycsb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/record"
)

// seeded returns a generator whose seed is printed when the test fails. Setting YCSB_SEED repeats a
// failure.
func seeded(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	if s := os.Getenv("YCSB_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("repeat with YCSB_SEED=%d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// TestNumbering: the record of an insert is known from its number alone, in whatever order the
// operations of several workers come.
func TestNumbering(t *testing.T) {
	r := seeded(t)
	ops := uint64(40_000)
	if raceEnabled { // workers meet at four blocks as at ten
		ops = 16_000
	}
	c := workload(t, "d", "insertproportion", "0.3", "readproportion", "0.7")
	first := r.Uint64N(1 << 50)
	var want []int64 // by operation, if it is an insert
	next := c.RecordCount + 17
	m, x := c.mix(), random{}
	for k := range ops {
		x.start(mix64(c.Seed^runStream), first+k)
		want = append(want, -1)
		if m.operation(x.next()) == opInsert {
			want[k] = next
			next++
		}
	}
	if got := Inserts(c, first, ops); got != next-c.RecordCount-17 {
		t.Errorf("%d inserts, want %d", got, next-c.RecordCount-17)
	}
	n := newNumbering(&c, first, 17)
	var wg sync.WaitGroup
	for range 4 {
		seed := r.Uint64()
		wg.Go(func() {
			r := rand.New(rand.NewPCG(seed, 0))
			var last counted
			for k := uint64(0); k < ops; k += r.Uint64N(40) {
				if r.IntN(100) == 0 {
					k -= min(k, r.Uint64N(10_000)) // of an owner that was lost
				}
				if r.IntN(1000) == 0 {
					k = min(k+r.Uint64N(10_000), ops-1)
				}
				if want[k] < 0 {
					continue
				}
				if got := n.recordOf(first+k, &last); got != want[k] {
					t.Errorf("operation %d inserts record %d, want %d", k, got, want[k])
					return
				}
			}
		})
	}
	wg.Wait()
}

// TestNumberingRefuses operations that cannot be of the phase.
func TestNumberingRefuses(t *testing.T) {
	c := workload(t, "d")
	n := newNumbering(&c, 1000, 0)
	for k, want := range map[uint64]string{999: "comes before operation 1000", 1 << 40: "does not know where the phase begins"} {
		func() {
			defer func() {
				if v := fmt.Sprint(recover()); !strings.Contains(v, want) {
					t.Errorf("operation %d: %s, want %s", k, v, want)
				}
			}()
			n.recordOf(k, new(counted))
		}()
	}
}

// generator is a load generator of one run.
type generator struct {
	db     *store
	target SharedTarget
}

// generators returns n load generators of a workload, each with the records of the load phase.
func generators(t *testing.T, c Config, n int) (all []generator) {
	t.Helper()
	for range n {
		s := loaded(t, c)
		target, err := NewShared(c, s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, generator{s, target})
	}
	return all
}

// TestSharedRun: the inserts of several load generators are those of one, without gaps or
// duplicates, over two phases and with any owners. No request is for a record that is not there.
func TestSharedRun(t *testing.T) {
	r := seeded(t)
	for _, name := range []string{"d", "e"} {
		for range 6 {
			n := 1 + r.IntN(4)
			first, ops := r.Uint64N(1<<40), 200+r.Uint64N(1000)
			c := workload(t, name, "insertproportion", "0.2", map[string]string{"d": "readproportion", "e": "scanproportion"}[name], "0.8", "recordcount", "300", "maxscanlength", "5")
			c.RequestDistribution = []Distribution{Latest, Zipfian, Exponential, ZipfianExact, Uniform}[r.IntN(5)]
			c.OperationCount = int64(ops)
			owners := make([]int, 1+r.IntN(10))
			for i := range owners {
				owners[i] = r.IntN(n)
			}
			inserted := map[string]int{}
			for me, g := range generators(t, c, n) {
				for _, phase := range []struct {
					first    uint64
					inserted int64
				}{{0, 0}, {first + ops, Inserts(c, 0, ops)}} {
					g.target.BeginPhase(phase.first, phase.inserted)
					share, err := load.NewShare(owners, me)
					if err != nil {
						t.Fatal(err)
					}
					done, err := load.Run(t.Context(), g.target, load.Config{Workers: 3, Operations: ops, First: phase.first, Share: share, Phase: record.LoadRun}, nil)
					if err != nil || len(done.Errors) > 0 {
						t.Fatalf("%v of %d: %v, errors %v", c.RequestDistribution, n, err, done.First)
					}
				}
				for key := range g.db.records {
					inserted[key]++
				}
			}
			total := c.RecordCount + Inserts(c, 0, ops) + Inserts(c, first+ops, ops)
			keys := newKeyText(&c)
			for record := range total {
				key, want := keys.key(record), 1
				if record < c.RecordCount {
					want = n // each has its own database
				}
				if inserted[string(key)] != want {
					t.Fatalf("%d load generators: record %d was inserted %d times, want %d", n, record, inserted[string(key)], want)
				}
			}
			if int64(len(inserted)) != total {
				t.Errorf("%d records, want %d", len(inserted), total)
			}
		}
	}
}

// TestSharedOperations: what is inserted, the kinds of operations, and what they write do not
// depend on the number of load generators or workers.
func TestSharedOperations(t *testing.T) {
	r := seeded(t)
	c := workload(t, "d", "insertproportion", "0.3", "readproportion", "0.4", "updateproportion", "0.3")
	const ops = 3000
	want := map[uint64]string{}
	for _, n := range []int{1, 2, 5} {
		var workers []*worker
		for _, g := range generators(t, c, n) {
			for i := range 3 {
				workers = append(workers, open(t, g.target, i).(*worker))
			}
		}
		for k := range uint64(ops) {
			w := workers[r.IntN(len(workers))]
			if err := send(w, k); err != nil {
				t.Fatalf("operation %d: %v", k, err)
			}
			text := w.op.String()
			if w.op == opInsert {
				text = fmt.Sprintf("%s %s", text, w.key)
			}
			if w.op != opRead {
				field, value := w.value.At(0)
				text = fmt.Sprintf("%s %d=%s", text, field, value)
			}
			if n == 1 {
				want[k] = text
			} else if text != want[k] {
				t.Fatalf("operation %d of %d load generators is %.80s, want %.80s", k, n, text, want[k])
			}
		}
	}
}

// TestSharedFailedInsert: a record whose insert failed, or was never sent, is not requested.
func TestSharedFailedInsert(t *testing.T) {
	c := workload(t, "d", "insertproportion", "0.5", "readproportion", "0.5")
	g := generators(t, c, 1)[0]
	failing := errors.New("disk full")
	loadedInserts := g.db.inserts
	g.db.fail = func(n int) error {
		if (n-loadedInserts)%3 == 0 {
			return failing
		}
		return nil
	}
	w := open(t, g.target, 0).(*worker)
	failed := 0
	for k := range uint64(5000) {
		if w.Prepare(k); w.op == opInsert && k%5 == 0 {
			continue // the run was stopped
		}
		switch err := w.Done(w.Do(context.Background(), new(load.Timer))); {
		case errors.Is(err, failing):
			failed++
		case errors.Is(err, kv.ErrNotFound):
			t.Fatalf("operation %d requests a record that is not there", k)
		case err != nil:
			t.Fatal(err)
		}
	}
	if failed < 100 {
		t.Errorf("only %d inserts failed", failed)
	}
}

// TestOwnInserts: of the records inserted, the latest as many as there is room for are chosen,
// and no others.
func TestOwnInserts(t *testing.T) {
	const loaded, room = 10, 64
	o := newOwnInserts(loaded, room)
	all := &uniformUpTo{}
	for inserted := range int64(300) {
		var x random
		seen := map[int64]bool{}
		for i := range uint64(2000) {
			x.start(uint64(inserted), i)
			seen[o.choose(all, &x)] = true
		}
		for record := range seen {
			if i := (record - 1000) / 3; record >= loaded && ((record-1000)%3 != 0 || i >= inserted || i < inserted-room) {
				t.Fatalf("after %d inserts record %d is chosen", inserted, record)
			}
		}
		if want := loaded + min(inserted, room); int64(len(seen)) != want {
			t.Fatalf("after %d inserts %d records are chosen, want %d", inserted, len(seen), want)
		}
		o.add(1000 + 3*inserted)
	}
}

// uniformUpTo chooses all records up to the last one.
type uniformUpTo struct{}

func (*uniformUpTo) next(r *random, last int64) int64 { return int64(r.below(uint64(last + 1))) }

// BenchmarkSharedInsert is what the number of an insert costs a worker that sends one operation in
// 4, and in 200.
func BenchmarkSharedInsert(b *testing.B) {
	for _, slots := range []uint64{1, 4, 200} {
		b.Run(fmt.Sprintf("slots=%d", slots), func(b *testing.B) {
			c := workload(b, "d")
			n := newNumbering(&c, 0, 0)
			var last counted
			for i := range b.N {
				n.recordOf(uint64(i)*slots, &last)
			}
		})
	}
}

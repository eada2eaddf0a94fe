package ycsb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// workload returns one that is built in, changed by pairs of property and value.
func workload(t testing.TB, name string, pairs ...string) Config {
	t.Helper()
	props, ok := Workload(name)
	if !ok {
		t.Fatalf("no workload %s", name)
	}
	for i := 0; i < len(pairs); i += 2 {
		props[pairs[i]] = pairs[i+1]
	}
	c, err := ParseConfig(props)
	if err != nil {
		t.Fatal(err)
	}
	c.Seed = 42
	return c
}

// loaded returns a store after the load phase.
func loaded(t testing.TB, c Config) *store {
	t.Helper()
	s := newStore()
	target, err := Loader(c, s)
	if err != nil {
		t.Fatal(err)
	}
	phase := c.LoadPhase()
	w := open(t, target, 0)
	for k := range phase.Operations {
		if err := send(w, k); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := int64(len(s.records)); got != c.inserted() {
		t.Fatalf("the load phase inserted %d records of %d", got, c.inserted())
	}
	return s
}

func open(t testing.TB, target load.Target, n int) load.Worker {
	t.Helper()
	w, err := target.Worker(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// send is one operation as the engine does it.
func send(w load.Worker, k uint64) error {
	var timer load.Timer
	w.Prepare(k)
	return w.Done(w.Do(context.Background(), &timer))
}

// chosen is what was chosen for an operation, as text.
func chosen(w *worker) string {
	text := fmt.Sprintf("%v %s", w.op, w.key)
	if w.op == opRead || w.op == opScan || w.op == opReadModifyWrite {
		text += fmt.Sprintf(" ask %v", w.ask)
	}
	if w.op == opScan {
		text += fmt.Sprintf(" n %d", w.n)
	}
	if w.op != opRead && w.op != opScan {
		for i := range w.value.Len() {
			f, v := w.value.At(i)
			text += fmt.Sprintf(" %d=%x", f, v)
		}
	}
	return text
}

func TestKindsAndRecordsExist(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			c := workload(t, name, "dataintegrity", "true", "recordcount", "500", "operationcount", "2000", "maxscanlength", "10")
			s := loaded(t, c)
			target, err := New(c, s)
			if err != nil {
				t.Fatal(err)
			}
			w := open(t, target, 0)
			var timer load.Timer
			counts := map[string]int{}
			for k := range uint64(2000) {
				counts[target.Kinds()[w.Prepare(k)]]++
				if err := w.Done(w.Do(context.Background(), &timer)); err != nil {
					t.Fatalf("operation %d: %v", k, err)
				}
			}
			for _, share := range c.shares() {
				got := float64(counts[share.op.String()]) / 2000
				if got < share.share-0.03 || got > share.share+0.03 {
					t.Errorf("%v: %.3f of the operations, want %v", share.op, got, share.share)
				}
			}
			if got, want := len(s.records), 500+counts["INSERT"]; got != want {
				t.Errorf("%d records at the end, want %d", got, want)
			}
			if err := errors.Join(w.Close(), target.Close()); err != nil || s.sessions != 0 {
				t.Errorf("closing: %v, %d sessions left", err, s.sessions)
			}
		})
	}
}

// TestSameForAnyWorker: an operation is the same whoever prepares it, and in
// whatever order.
func TestSameForAnyWorker(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	distributions := Default().settingWords("requestdistribution")
	for _, distribution := range distributions {
		for _, all := range []string{"true", "false"} {
			c := workload(t, "a", "requestdistribution", distribution, "readallfields", all, "writeallfields", all,
				"readproportion", "0.3", "updateproportion", "0.3", "scanproportion", "0.2", "readmodifywriteproportion", "0.2",
				"fieldlengthdistribution", "uniform", "scanlengthdistribution", "zipfian")
			c.Seed = seed
			target, err := New(c, newStore())
			if err != nil {
				t.Fatal(err)
			}
			first := open(t, target, 0).(*worker)
			want := make([]string, 500)
			for k := range want {
				first.Prepare(uint64(k))
				want[k] = chosen(first)
			}
			workers := []*worker{first, open(t, target, 1).(*worker), open(t, target, 2).(*worker)}
			for _, k := range r.Perm(len(want)) {
				w := workers[r.IntN(3)]
				w.Prepare(uint64(k))
				if got := chosen(w); got != want[k] {
					t.Fatalf("%s, operation %d:\n%s\nwas\n%s", distribution, k, got, want[k])
				}
			}
			if other := slices.Compact(slices.Sorted(slices.Values(want))); len(other) < 300 {
				t.Errorf("%s: %d operations of 500 are different", distribution, len(other))
			}
			c.Seed++
			target, err = New(c, newStore())
			if err != nil {
				t.Fatal(err)
			}
			w, same := open(t, target, 0).(*worker), 0
			for k := range want {
				w.Prepare(uint64(k))
				if chosen(w) == want[k] {
					same++
				}
			}
			if same > 100 {
				t.Errorf("%s: another seed gives the same operation %d times of 500", distribution, same)
			}
		}
	}
}

func (c Config) settingWords(name string) []string {
	for _, s := range c.settings() {
		if s.name == name {
			return s.words()
		}
	}
	return nil
}

// TestWithInserts: what does not depend on other workers' inserts is the same,
// and the records that come are the same ones.
func TestWithInserts(t *testing.T) {
	const operations = 6000
	c := workload(t, "d", "readallfields", "false", "insertproportion", "0.2", "readproportion", "0.8", "recordcount", "100")
	shape := func(w *worker) string { return fmt.Sprint(w.op, w.ask) }
	s := loaded(t, c)
	target, err := New(c, s)
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, target, 0).(*worker)
	want := make([]string, operations)
	for k := range want {
		w.ask = nil
		err := send(w, uint64(k))
		if want[k] = shape(w); err != nil {
			t.Fatalf("operation %d: %v", k, err)
		}
	}

	others := loaded(t, c)
	if target, err = New(c, others); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for n := range 4 {
		w := open(t, target, n).(*worker)
		wg.Go(func() {
			for k := n; k < operations; k += 4 {
				w.ask = nil
				// Only what is there may be read, although others insert.
				if err := send(w, uint64(k)); err != nil || shape(w) != want[k] {
					t.Errorf("operation %d: %s, %v; want %s", k, shape(w), err, want[k])
				}
			}
		})
	}
	wg.Wait()
	if !slices.Equal(s.keys, others.keys) {
		t.Errorf("one worker leaves %d records, four leave %d or other ones", len(s.keys), len(others.keys))
	}
}

// TestPreparedAndNotSent: an insert that was dropped, or whose worker ends, removes no record.
func TestPreparedAndNotSent(t *testing.T) {
	c := workload(t, "a", "readproportion", "0", "updateproportion", "0", "insertproportion", "1", "recordcount", "10", "insertorder", "ordered")
	s := newStore()
	target, err := New(c, s)
	if err != nil {
		t.Fatal(err)
	}
	a, b := open(t, target, 0), open(t, target, 1)
	a.Prepare(0)
	a.Prepare(1) // 0 was dropped
	b.Prepare(2)
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	for k := range uint64(3) {
		if err := send(a, 3+k); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(s.keys); got != "[user10 user11 user12]" {
		t.Errorf("records %s", got)
	}
	if got := target.(*runTarget).ins.last(); got != 12 {
		t.Errorf("all are there up to %d", got)
	}
}

func TestFailedInsertIsAcknowledged(t *testing.T) {
	c := workload(t, "d", "readproportion", "0", "insertproportion", "1", "recordcount", "10")
	s := newStore()
	down := errors.New("disk full")
	s.fail = func(int) error { return down }
	target, err := New(c, s)
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, target, 0)
	if err := send(w, 0); err != down {
		t.Errorf("the insert says %v", err)
	}
	if got := target.(*runTarget).ins.last(); got != 10 {
		t.Errorf("all are there up to %d, want 10", got)
	}
}

func TestReadModifyWrite(t *testing.T) {
	c := workload(t, "f", "readproportion", "0", "readmodifywriteproportion", "1", "recordcount", "5")
	s := loaded(t, c)
	s.keep = true
	target, err := New(c, s)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(target.Kinds()); got != "[READ UPDATE READ-MODIFY-WRITE]" {
		t.Errorf("kinds %s", got)
	}
	w := open(t, target, 0)
	if kind := w.Prepare(0); kind != 2 {
		t.Errorf("kind %d", kind)
	}
	if err := send(w, 0); err != nil {
		t.Fatal(err)
	}
	if len(s.calls) != 2 || !strings.HasPrefix(s.calls[0], "READ user") || s.calls[1] != "UPDATE"+s.calls[0][4:] {
		t.Errorf("calls %q", s.calls)
	}
	// Nothing is written where nothing could be read.
	s.calls = nil
	clear(s.records)
	if err := send(w, 0); err != kv.ErrNotFound || len(s.calls) != 1 {
		t.Errorf("of a record that is not there: %v, calls %q", err, s.calls)
	}
}

func TestFieldsAskedFor(t *testing.T) {
	tests := []struct {
		pairs []string
		want  string // of the first operations, fields asked for / written
	}{
		{[]string{"readproportion", "1", "updateproportion", "0"}, "all/none"},
		{[]string{"readproportion", "1", "updateproportion", "0", "readallfieldsbyname", "true"}, "10/none"},
		{[]string{"readproportion", "1", "updateproportion", "0", "dataintegrity", "true"}, "10/none"},
		{[]string{"readproportion", "1", "updateproportion", "0", "readallfields", "false"}, "1/none"},
		{[]string{"readproportion", "1", "updateproportion", "0", "readallfields", "false", "dataintegrity", "true"}, "1/none"},
		{[]string{"readproportion", "0", "updateproportion", "1"}, "none/1"},
		{[]string{"readproportion", "0", "updateproportion", "1", "writeallfields", "true"}, "none/10"},
		{[]string{"readproportion", "0", "updateproportion", "0", "insertproportion", "1"}, "none/10"},
		{[]string{"readproportion", "0", "updateproportion", "0", "scanproportion", "1"}, "all/none"},
		{[]string{"readproportion", "0", "updateproportion", "0", "readmodifywriteproportion", "1"}, "all/1"},
		{[]string{"readproportion", "0", "updateproportion", "0", "readmodifywriteproportion", "1", "readallfields", "false", "writeallfields", "true"}, "1/10"},
	}
	for _, tt := range tests {
		c := workload(t, "a", tt.pairs...)
		target, err := New(c, newStore())
		if err != nil {
			t.Fatal(err)
		}
		w := open(t, target, 0).(*worker)
		seen := map[int]bool{}
		for k := range uint64(300) {
			w.Prepare(k)
			asked, written := "none", "none"
			if w.op == opRead || w.op == opScan || w.op == opReadModifyWrite {
				asked = "all"
				if w.ask != nil {
					asked = fmt.Sprint(len(w.ask))
				}
				if len(w.ask) == 1 {
					seen[w.ask[0]] = true
				}
			}
			if w.op != opRead && w.op != opScan {
				written = fmt.Sprint(w.value.Len())
				if f, v := w.value.At(0); w.value.Len() == 1 {
					seen[f] = true
					if len(v) != 100 {
						t.Errorf("%q: a value of %d bytes", tt.pairs, len(v))
					}
				}
			}
			if got := asked + "/" + written; got != tt.want {
				t.Fatalf("%q: fields asked for and written %s, want %s", tt.pairs, got, tt.want)
			}
		}
		if n := len(seen); n != 0 && n != 10 {
			t.Errorf("%q: fields %v, want each of ten", tt.pairs, seen)
		}
	}
}

func TestScanLengths(t *testing.T) {
	c := workload(t, "e", "readproportion", "0", "insertproportion", "0", "scanproportion", "1", "minscanlength", "3", "maxscanlength", "8")
	target, err := New(c, newStore())
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, target, 0).(*worker)
	var counts [10]int
	for k := range uint64(20_000) {
		w.Prepare(k)
		counts[w.n]++
	}
	checkDistribution(t, "scan lengths", counts[:], func(i int) float64 {
		if i < 3 || i > 8 {
			return 0
		}
		return 1.0 / 6
	})
}

package ycsb

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// latencies counts what was measured, by kind and tag.
func latencies(done *load.Interval) map[string]int64 {
	counts := map[string]int64{}
	for _, l := range done.Latencies {
		counts[l.Kind+" "+l.Tag] = l.Hist.Count()
	}
	return counts
}

// TestRun has the engine send each workload: the load phase, a warm-up and the
// run, with verified values.
func TestRun(t *testing.T) {
	ctx := context.Background()
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			c := workload(t, name, "dataintegrity", "true", "recordcount", "300", "operationcount", "1500", "maxscanlength", "5")
			s := newStore()
			loader, err := Loader(c, s)
			if err != nil {
				t.Fatal(err)
			}
			phase := c.LoadPhase()
			phase.Workers = 3
			done, err := load.Run(ctx, loader, phase, nil)
			if err != nil || done.Completed != 300 || len(done.Errors) > 0 || len(s.records) != 300 {
				t.Fatalf("load phase: %+v, %v, %d records", done, err, len(s.records))
			}

			target, err := New(c, s)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := load.Run(ctx, target, load.Config{Workers: 2, Operations: 500, Phase: record.LoadWarmup}, nil); err != nil {
				t.Fatal(err)
			}
			done, err = load.Run(ctx, target, load.Config{Workers: 4, Operations: 1000, First: 500}, nil)
			if err != nil || done.Completed != 1000 || len(done.Errors) > 0 {
				t.Fatalf("run: %+v, %v, first errors %v", done, err, done.First)
			}
			counts := latencies(done)
			t.Log(counts)
			checkCounts(t, &c, counts)
			if s.sessions != 0 {
				t.Errorf("%d sessions are open", s.sessions)
			}
		})
	}
}

// checkCounts compares the operations that were measured with the choices that
// follow from the seed.
func checkCounts(t *testing.T, c *Config, counts map[string]int64) {
	t.Helper()
	want := map[string]int64{}
	m, r := c.mix(), random{}
	for k := range uint64(1000) {
		r.start(mix64(c.Seed^runStream), 500+k)
		op := m.operation(r.next())
		want[op.String()]++
		if op == opReadModifyWrite {
			want["READ"]++
			want["UPDATE"]++
		}
	}
	for kind, n := range want {
		if got := counts[kind+" "+record.TagService]; got != n {
			t.Errorf("%s: %d service times, want %d", kind, got, n)
		}
	}
}

// TestLoadPhaseEnds: the first insert that fails for good ends the load phase,
// unless it is to keep going.
func TestLoadPhaseEnds(t *testing.T) {
	for _, keepGoing := range []bool{false, true} {
		c := workload(t, "c", "recordcount", "50", "core_workload_insertion_retry_limit", "1", "core_workload_insertion_retry_interval", "0",
			"core_workload_insertion_keep_going_on_error", fmt.Sprint(keepGoing))
		s := newStore()
		s.fail = func(n int) error {
			if n == 10 || n == 20 || n == 21 { // the first of these is made good
				return errors.New("disk full")
			}
			return nil
		}
		target, err := Loader(c, s)
		if err != nil {
			t.Fatal(err)
		}
		done, err := load.Run(context.Background(), target, c.LoadPhase(), nil)
		switch {
		case keepGoing && (err != nil || len(s.records) != 49 || done.Completed != 50):
			t.Errorf("keep going: %v, %d records", err, len(s.records))
		case !keepGoing && (!errors.Is(err, load.ErrMaxErrors) || len(s.records) >= 49):
			t.Errorf("do not keep going: %v, %d records", err, len(s.records))
		}
	}
}

// BenchmarkRun is the whole closed loop, one worker, with a database that does
// nothing.
func BenchmarkRun(b *testing.B) {
	for _, distribution := range []string{"uniform", "zipfian"} {
		b.Run("workload=c/distribution="+distribution, func(b *testing.B) {
			c := workload(b, "c", "recordcount", "1000000", "requestdistribution", distribution)
			target, err := New(c, idle{})
			if err != nil {
				b.Fatal(err)
			}
			b.ResetTimer()
			if _, err := load.Run(context.Background(), target, load.Config{Operations: uint64(b.N)}, nil); err != nil {
				b.Fatal(err)
			}
		})
	}
}

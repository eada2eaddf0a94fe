package profile_test

import (
	"bytes"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/record"
)

// benched is a benchmark with sub-benchmarks: package testing waits for as long as they run, one of them for a lock.
func benched() (*pprof.Profile, *record.Sampled) {
	p := made("samples/count wall/nanoseconds twice/nanoseconds",
		"main.main;testing.(*M).Run;p.BenchmarkAll;testing.(*B).Run;testing.(*B).run1|waiting/chan receive|100 1000000000 990000000",
		"testing.(*B).launch;p.BenchmarkAll.func1;testing.(*B).RunParallel;sync.(*WaitGroup).Wait|waiting/sync.WaitGroup.Wait|40 400000000 390000000",
		"testing.(*B).launch;p.BenchmarkAll.func1;p.work|running|30 300000000 290000000",
		"testing.(*B).launch;p.BenchmarkAll.func1;p.work;sync.(*Mutex).Lock|waiting/sync.Mutex.Lock|20 200000000 180000000",
		"testing.(*B).launch;p.BenchmarkAll.func1;p.idle|runnable|10 100000000 90000000",
	)
	p.DefaultSampleType = "wall"
	return p, &record.Sampled{
		Program: "p.test", Mode: record.SampledWall, Source: record.SampledStacks, Window: record.AsmWhole,
		Interval: 10_000_000, Achieved: 10_000_000, Samples: 100, Goroutines: 3, Wall: 1_000_000_000,
		RunningErrors: []record.SampledError{{Name: "p.work", Self: 3e7, Total: 3e7, SelfShare: 0.07, TotalShare: 0.07}},
	}
}

// TestExcludesBlocked: running, blocked and harness time add up to all of it, in sum and for each function.
func TestExcludesBlocked(t *testing.T) {
	v := view(t, benched, profile.Config{})
	if v.Total != 2e9 || v.Shown != 4e8 || v.Blocked != 2e8 || v.Harness != 1.4e9 || !v.ExcludesBlocked() {
		t.Errorf("total %d, shown %d, blocked %d, harness %d", v.Total, v.Shown, v.Blocked, v.Harness)
	}
	want := map[string][4]int64{ // running self and total, blocked self and total
		"p.work": {3e8, 3e8, 0, 2e8}, "p.idle": {1e8, 1e8, 0, 0}, "sync.(*Mutex).Lock": {0, 0, 2e8, 2e8},
		"p.BenchmarkAll.func1": {0, 4e8, 0, 2e8}, "testing.(*B).launch": {0, 4e8, 0, 2e8},
	}
	for _, f := range v.Functions {
		if got := [4]int64{f.RunningSelf, f.RunningTotal, f.BlockedSelf, f.BlockedTotal}; got != want[f.Name] {
			t.Errorf("%s: %v, want %v", f.Name, got, want[f.Name])
		}
	}
}

// TestBlockedIncluded: with Blocked, what ran and what was blocked is one, and the harness is still excluded.
func TestBlockedIncluded(t *testing.T) {
	v := view(t, benched, profile.Config{Blocked: true})
	if v.Shown != 6e8 || v.ExcludesBlocked() {
		t.Errorf("%d shown, excluded: %v", v.Shown, v.ExcludesBlocked())
	}
	var folded bytes.Buffer
	if err := v.Collapsed(&folded); err != nil || !strings.Contains(folded.String(), "Lock 200000000\n") || strings.Contains(folded.String(), "run1") {
		t.Errorf("%v\n%s", err, &folded)
	}
}

// TestOnlyBlocked: where nothing ran, blocked time is what is shown.
func TestOnlyBlocked(t *testing.T) {
	v := view(t, func() (*pprof.Profile, *record.Sampled) {
		p, how := benched()
		p.Sample = p.Sample[3:4]
		return p, how
	}, profile.Config{})
	if v.Shown != 2e8 || v.ExcludesBlocked() {
		t.Errorf("%d shown, excluded: %v", v.Shown, v.ExcludesBlocked())
	}
}

// TestFlameBlocked: blocked functions are in an image of their own, or marked in that of all.
func TestFlameBlocked(t *testing.T) {
	excluded, all := view(t, benched, profile.Config{}), view(t, benched, profile.Config{Blocked: true})
	for _, c := range []struct {
		name          string
		show          func(*bytes.Buffer) error
		lock, running bool
	}{
		{"running", func(b *bytes.Buffer) error { return excluded.Flame(b) }, false, true},
		{"blocked", func(b *bytes.Buffer) error { return excluded.FlameBlocked(b) }, true, false},
		{"all", func(b *bytes.Buffer) error { return all.Flame(b) }, true, true},
	} {
		var b bytes.Buffer
		if err := c.show(&b); err != nil {
			t.Fatal(err)
		}
		image := b.String()
		if strings.Contains(image, `data-n="sync.(*Mutex).Lock"`) != c.lock || strings.Contains(image, `data-n="p.idle"`) != c.running || strings.Contains(image, "run1") {
			t.Errorf("%s:\n%s", c.name, image)
		}
		if strings.Contains(image, ` blocked" x=`) != c.lock {
			t.Errorf("%s: the frames of what was blocked are not marked, or others are:\n%s", c.name, image)
		}
	}
}

// TestMergedRunning: the running time of two forks has the errors of both.
func TestMergedRunning(t *testing.T) {
	p, how := benched()
	p.PeriodType = &pprof.ValueType{Type: "wall", Unit: "nanoseconds"}
	sum, _, err := profile.Merge([]*record.Sampled{how, how}, []*pprof.Profile{p, p.Copy()})
	if err != nil || len(sum.RunningErrors) != 1 {
		t.Fatalf("%v: %+v", err, sum.RunningErrors)
	}
	near := func(got, want float64) bool { return got > want*0.999 && got < want*1.001 }
	if e := sum.RunningErrors[0]; !near(e.Self, 3e7*1.4142) || !near(e.SelfShare, 0.07/1.4142) {
		t.Errorf("%+v", e)
	}
}

package bench

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// trialLog prints what is made and dropped, between testing's own lines.
func trialLog(format string, args ...any) { fmt.Fprintf(os.Stderr, "trial: "+format+"\n", args...) }

func BenchmarkTrial(b *testing.B) {
	helper(b)
	value := func(b *testing.B, v string) string {
		return Trial(b, func() (string, error) { trialLog("make %s", v); return v, nil }, func(v string) { trialLog("drop %s", v) })
	}
	b.Run("run", func(b *testing.B) {
		value(b, "a")
		value(b, "b")
		trialLog("call")
		Run(b, loop)
	})
	b.Run("plain", func(b *testing.B) {
		value(b, "a")
		for range b.N {
		}
	})
	b.Run("loop", func(b *testing.B) {
		value(b, "a")
		for b.Loop() {
		}
	})
	b.Run("shot", func(b *testing.B) {
		value(b, "a")
		SingleShot(b, func() {})
	})
	b.Run("parent", func(b *testing.B) {
		value(b, "a")
		b.Run("one", func(b *testing.B) { trialLog("one"); Run(b, loop) })
		b.Run("two", func(b *testing.B) { trialLog("two"); Run(b, loop) })
	})
	b.Run("fails", func(b *testing.B) {
		value(b, "a")
		b.Fatal("as it should")
	})
	b.Run("fails-late", func(b *testing.B) {
		value(b, "a")
		Run(b, loop)
		b.Fatal("as it should")
	})
	b.Run("skips", func(b *testing.B) {
		value(b, "a")
		b.Skip()
	})
	b.Run("no-disk", func(b *testing.B) {
		Trial(b, func() (int, error) { return 0, errors.New("no disk") }, func(int) { trialLog("drop") })
		Run(b, loop)
	})
	b.Run("another", func(b *testing.B) {
		if benchmarkOf(b).calls == 1 {
			Trial(b, func() (int, error) { return 1, nil }, nil)
		} else {
			Trial(b, func() (string, error) { return "", nil }, nil)
		}
		for range b.N {
		}
	})
}

// TestTrial looks at what is made and dropped in the ways in which testing calls
// a benchmark.
func TestTrial(t *testing.T) {
	t.Parallel()
	lives := []string{"make a", "drop a"}
	for _, tt := range []struct {
		name string
		args string
		want []string
	}{
		{"run", "1x", []string{"make a", "make b", "call", "drop b", "drop a"}},
		{"run", "10x", []string{"make a", "make b", "call", "call", "drop b", "drop a"}},
		{"run", "2ms", []string{"make a", "make b", "call", "drop b", "drop a"}},
		{"run", "2ms count=3", []string{"make a", "make b", "call", "call", "call", "drop b", "drop a"}},
		{"run", "2ms count=2 cpu=1,2", []string{"make a", "make b", "call", "call", "call", "call", "drop b", "drop a"}},
		{"run", "10x count=2", []string{"make a", "make b", "call", "call", "call", "call", "drop b", "drop a"}},
		{"plain", "1x", lives}, {"plain", "2ms", lives}, {"plain", "2ms count=2", lives}, {"plain", "10x count=2", lives},
		{"loop", "1x", lives}, {"loop", "2ms", lives}, {"loop", "2ms count=2", lives}, {"loop", "10x count=2", lives},
		{"shot", "1x", lives}, {"shot", "2ms", lives}, {"shot", "2ms count=2", lives}, {"shot", "10x count=2", lives},
		{"parent", "1x", []string{"make a", "one", "two", "drop a"}},
		{"parent", "2ms count=2", []string{"make a", "one", "one", "two", "two", "drop a"}},
		{"fails", "2ms count=2", lives}, {"fails", "10x count=2", lives},
		{"fails-late", "2ms count=2", lives},
		{"skips", "2ms count=2", lives},
		{"no-disk", "2ms", nil},
		{"another", "10x", nil}, // two rounds, however slow the machine
	} {
		var args []string
		for i, a := range strings.Fields(tt.args) {
			if i == 0 {
				a = "benchtime=" + a
			}
			args = append(args, "-test."+a)
		}
		r := rerun(t, "^BenchmarkTrial$/^"+tt.name+"$", args...)
		var got []string
		for line := range strings.Lines(r.out) {
			if _, text, ok := strings.Cut(line, "trial: "); ok {
				got = append(got, strings.TrimSpace(text))
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s, %s:\n got %q\nwant %q\n%s", tt.name, tt.args, got, tt.want, r.out)
		}
		if fails := tt.want == nil || strings.HasPrefix(tt.name, "fails"); (r.code != 0) != fails {
			t.Errorf("%s, %s: status %d\n%s", tt.name, tt.args, r.code, r.out)
		}
	}
}

func TestTrialWrong(t *testing.T) {
	t.Parallel()
	r := rerun(t, "^BenchmarkTrial$/^(another|no-disk)$", "-test.benchtime=2ms", "-test.count=2")
	for _, want := range []string{
		"was called for a int before and now for a string",
		"Trial: no disk",
	} {
		if !strings.Contains(r.out, want) {
			t.Errorf("not reported: %s\n%s", want, r.out)
		}
	}
}

// TestTrialUnnamed has testing.Benchmark, which gives no names and heeds no
// counts.
func TestTrialUnnamed(t *testing.T) {
	benchtime(t, "2ms")
	var log []string
	for range 2 {
		testing.Benchmark(func(b *testing.B) {
			Trial(b, func() (int, error) { log = append(log, "make"); return 1, nil }, func(int) { log = append(log, "drop") })
			Run(b, loop)
		})
	}
	if !slices.Equal(log, []string{"make", "drop", "make", "drop"}) {
		t.Error(log)
	}
}

// TestTrialTime makes sure that what a trial takes is not measured.
func TestTrialTime(t *testing.T) {
	benchtime(t, "5ms")
	testutil.Retry(t, func(int) error { // of the first operation 5 ms may be stolen
		r := testing.Benchmark(func(b *testing.B) {
			Trial(b, func() (int, error) { spin(20e6); return 1, nil }, nil)
			for range b.N {
				spin(10_000)
			}
		})
		if r.N < 50 {
			return fmt.Errorf("N = %d: the trial was taken for an operation", r.N)
		}
		return nil
	})
}

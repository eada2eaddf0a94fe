package sample

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

// TestWarnings: each condition that makes a result untrustworthy has a warning with numbers, and no other condition has.
func TestWarnings(t *testing.T) {
	const ms = 1_000_000
	t.Setenv("TMPDIR", "/tmp")
	for _, c := range []struct {
		how  record.Sampled
		want string // code: text → advice, or nothing
	}{
		{record.Sampled{Mode: record.SampledWall, Interval: 10 * ms, Achieved: 10.1 * ms, Samples: 500}, ""},
		{record.Sampled{Mode: record.SampledWall, Interval: 10 * ms, Achieved: 10 * ms, Samples: 25},
			"few-looks: sample: 25 samples: a share of 10 % is known to within ±6 % → sample for longer: 100 samples take 1 s"},
		{record.Sampled{Mode: record.SampledWall, Interval: 10 * ms, Achieved: 40 * ms, Samples: 100, Skipped: 300, SampleCost: 0.8 * ms, Goroutines: 10_000},
			"looks-slowed: sample: a sample took 800 µs with 10 000 goroutines: samples were taken every 40 ms instead of every 10 ms, so that they cost no more than 2 % → a longer --sample-interval can be kept"},
		{record.Sampled{Mode: record.SampledWall, Interval: 10 * ms, Achieved: 10 * ms, Samples: 100, Lost: 3},
			"looks-lost: sample: 3 samples were lost, because there was no room for them → use a longer --sample-interval, or a shorter run"},
		{record.Sampled{Mode: record.SampledWall, Interval: 10 * ms, Achieved: 10 * ms, Samples: 100, Late: 5, Spared: 25}, ""},
		{record.Sampled{Mode: record.SampledWall, Interval: 10 * ms, Achieved: 10 * ms, Samples: 100, Late: 6},
			"looks-late: sample: 6 of 106 samples came late or not at all, because other threads had the processors: functions that run when those pause are seen too often → repeat on a quieter machine, or give tare CAP_SYS_NICE for real-time priority"},
		{record.Sampled{Mode: record.SampledWall, Interval: 10 * ms, Achieved: 15 * ms, Samples: 200, Spared: 100},
			"looks-spared: sample: the room for samples became scarce: they were taken less often towards the end, every 15 ms instead of every 10 ms on average → use a longer --sample-interval, or a shorter run"},
		{record.Sampled{Mode: record.SampledWall, Interval: 10 * ms, Achieved: 10 * ms, Samples: 200, Wall: 2000 * ms, Unseen: 7000 * ms},
			"looks-lost: sample: the room for samples was full after 2 s: the last 7 s of the program are missing → use a longer --sample-interval, or a shorter run"},
		{record.Sampled{Mode: record.SampledWall, Interval: 10 * ms, Achieved: 10 * ms, Samples: 200, Cut: 0.125},
			"stacks-cut: sample: 12 % of the time is in stacks that are too deep: their outer calls are missing, also in totals → use the self times"},
		{record.Sampled{Mode: record.SampledCPU, Source: record.SampledRuntime, Interval: ms, Achieved: 4.02 * ms, Samples: 300},
			"looks-coarse: sample: target: a sample every 1 ms of CPU time, achieved: one every 4.02 ms: Go's profiler samples at the kernel's ticks; times are computed from the achieved interval → perf events have shorter intervals: tare sample -- PROGRAM"},
		{record.Sampled{Mode: record.SampledCPU, Source: record.SampledRuntime, Interval: ms, Achieved: 1.2 * ms, Samples: 300}, ""},
		{record.Sampled{Mode: record.SampledCPU, Source: record.SampledRuntime, Interval: 20 * ms, Achieved: 31 * ms, Samples: 100},
			"looks-coarse: sample: target: a sample every 20 ms of CPU time, achieved: one every 31 ms: some are missing; times are computed from the achieved interval → sample for longer"},
		{record.Sampled{Mode: record.SampledCPU, Source: record.SampledURL, Interval: ms, Achieved: 10 * ms, Samples: 300},
			"looks-coarse: sample: target: a sample every 1 ms of CPU time, achieved: one every 10 ms: net/http/pprof has a fixed interval; times are computed from the achieved interval → a longer --sample-interval can be kept"},
		{record.Sampled{Mode: record.SampledCPU, Source: record.SampledPerf, Interval: 0.1 * ms, Achieved: 4 * ms, Samples: 300},
			"looks-coarse: sample: target: a sample every 100 µs of CPU time, achieved: one every 4 ms: the kernel does not allow more; times are computed from the achieved interval → a longer --sample-interval can be kept"},
		{record.Sampled{Mode: record.SampledCPU, Source: record.SampledRuntime, Interval: ms, Samples: 300},
			"looks-coarse: sample: target: a sample every 1 ms of CPU time; the achieved interval is unknown: times are computed from the target, and may be too short → use the shares"},
		{record.Sampled{Mode: record.SampledCPU, Source: record.SampledRuntime, Interval: 10 * ms, Samples: 300}, ""},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmMarks, Interval: 10 * ms, Samples: 300, Stopped: 0.9}, ""},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmWhole, Interval: 10 * ms, Achieved: 10 * ms, Samples: 116, Running: 1160 * ms, CPU: 180 * ms},
			"looks-starved: sample: other processes had the processors: goroutines were found running for 1.16 s, and the program used 180 ms of CPU time. 84 % of the running time or more was spent waiting for a processor: times and shares of running functions are upper bounds → a quieter machine, or --cpu-time"},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmWhole, Interval: 10 * ms, Achieved: 10 * ms, Samples: 116, Running: 1160 * ms, CPU: 1000 * ms}, ""},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmWhole, Interval: 10 * ms, Achieved: 10 * ms, Samples: 116, Running: 1160 * ms, CPU: 2000 * ms}, ""},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmWhole, Interval: 10 * ms, Achieved: 10 * ms, Samples: 116, Running: 1160 * ms}, ""},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmMarks, Interval: 10 * ms, Samples: 300, Unlogged: 0.4},
			"many-stops: sample: the timer was stopped more often than could be noted: only samples of the first 60 % of the measured time count, and operations are in proportion → a smaller --time, or a smaller N with --benchtime"},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmMarks, Interval: 10 * ms, Samples: 300, Unlogged: 1},
			"stopped-included: sample: when the timer stood is not known: if it did, samples of that time count, too → room for files in /tmp"},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmRough, Interval: 10 * ms, Samples: 300, Unlogged: 1}, ""},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmMarks, Interval: 10 * ms, Achieved: 10 * ms, Samples: 31},
			"few-looks: sample: 31 samples: a share of 10 % is known to within ±5 % → use more or longer forks (--prof-forks, --time): 100 samples take 1 s"},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmRough, Interval: 10 * ms, Achieved: 10 * ms, Samples: 300, Lost: 3},
			"looks-lost: sample: 3 samples were lost, because there was no room for them → use a shorter --time"},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmMarks, Interval: 10 * ms, Achieved: 40 * ms, Samples: 100, Skipped: 300, SampleCost: 0.8 * ms, Goroutines: 10_000},
			"looks-slowed: sample: a sample took 800 µs with 10 000 goroutines: samples were taken every 40 ms instead of every 10 ms, so that they cost no more than 2 % → more --prof-forks, or a longer --time, give as many samples"},
		{record.Sampled{Mode: record.SampledCPU, Source: record.SampledURL, Window: record.AsmWhole, Interval: 10 * ms, Achieved: 10 * ms, Wall: 5000 * ms},
			"few-looks: sample: no sample in 5 s: the process used no CPU time → sample while it works, or by the clock: --wall --url"},
		{record.Sampled{Mode: record.SampledWall, Window: record.AsmWhole, Interval: 10 * ms},
			"few-looks: sample: no sample: nothing is known of the program → sample for longer: 100 samples take 1 s"},
	} {
		var got []string
		for _, w := range (&Result{How: c.how}).Warnings() {
			got = append(got, w.Code+": "+w.Text+" → "+w.Advice)
		}
		if s := strings.Join(got, "\n"); s != c.want {
			t.Errorf("%+v:\n%s\nwant\n%s", c.how, s, c.want)
		}
	}
}

// TestForkDoubts: what is said of one fork is not taken for what all of them come to.
func TestForkDoubts(t *testing.T) {
	r := &Result{How: record.Sampled{Mode: record.SampledWall, Window: record.AsmMarks, Interval: 1e7, Achieved: 1e7, Samples: 31}, fork: true}
	const want = "sample: 31 samples in this fork: a share of 10 % is known to within ±5 % by this fork alone"
	if d := r.Warnings(); len(d) != 1 || d[0].Text != want {
		t.Errorf("%+v", d)
	}
}

func TestProgramName(t *testing.T) {
	hash := strings.Repeat("0c885f", 11)[:64]
	for path, want := range map[string]string{
		"/tmp/x/toml-" + hash + ".test":     "toml.test",
		"/tmp/x/toml-" + hash + ".test.exe": "toml.test.exe",
		"/tmp/x/a-b.test":                   "a-b.test",
		"/bin/server-" + hash:               "server-" + hash,
	} {
		if got := programName(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

// TestWarningUnknown: there is a warning if many samples belong to no known function.
func TestWarningUnknown(t *testing.T) {
	for share, want := range map[int64]bool{0: false, 5: false, 6: true, 100: true} {
		b := newBuilder([]string{record.TypeSamples, record.TypeWall, record.TypeTwice})
		b.add([]frame{{name: unknownFunction}}, nil, []int64{share, share, 0})
		b.add([]frame{{name: "main.f"}, {name: unknownFunction}}, nil, []int64{100 - share, 100 - share, 0})
		how := record.Sampled{Mode: record.SampledWall, Source: record.SampledStacks, Interval: 1, Samples: 1000}
		p, err := b.done(&how)
		if err != nil {
			t.Fatal(err)
		}
		p.Sample = append(p.Sample, &profile.Sample{Value: []int64{0, 0, 0}}) // without a stack
		reported := slices.ContainsFunc((&Result{How: how, Profile: p}).Warnings(), func(w *record.Warn) bool { return w.Code == diagnosis.StacksUnknown })
		if reported != want {
			t.Errorf("%d %%: warning %v", share, reported)
		}
	}
}

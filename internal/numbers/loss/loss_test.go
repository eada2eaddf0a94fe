package loss

import (
	"math"
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
)

const ms = int64(1e6)

func iteration(i int, wall, cpu, delay int64) *record.Sample {
	s := &record.Sample{Iter: i, Phase: record.PhaseMeasure, Wall: wall * ms, CPU: cpu * ms, Delay: delay * ms}
	if i == 1 {
		s.Phase = record.PhaseWarmup
	}
	return s
}

func TestOf(t *testing.T) {
	batched := func(s *record.Sample) *record.Sample { s.Batched = true; return s }
	first := func(ns int64) *record.Sample {
		return &record.Sample{Iter: 1, Phase: record.PhaseMeasure, Wall: 100 * ms, CPU: 70 * ms, Delay: 40 * ms, Ns: ns * ms}
	}
	late := func(wall, cpu, delay int64, ns ...int64) []*record.Sample { // the times come with the first line
		out := []*record.Sample{batched(iteration(1, wall, cpu, delay)), batched(iteration(2, 0, 0, 0))}
		out[0].Ns, out[1].Ns, out[1].Delay = ns[0]*ms, ns[1]*ms, min(delay, 1)
		return out
	}
	role := func(s *record.Sample) *record.Sample { s.Role = "reader"; return s }
	for _, test := range []struct {
		name  string
		ss    []*record.Sample
		want  float64
		known bool
	}{
		{"nothing", nil, 0, false},
		{"old record", []*record.Sample{iteration(1, 30, 0, 0), iteration(2, 20, 0, 0)}, 0, false},
		{"calm", []*record.Sample{iteration(1, 30, 30, 1), iteration(2, 20, 20, 1), iteration(3, 20, 20, 1)}, 0, true},
		{"waits for a processor", []*record.Sample{iteration(1, 30, 30, 1), iteration(2, 30, 20, 12), iteration(3, 30, 22, 9)}, 0.3, true},
		{"warm-up does not count", []*record.Sample{iteration(1, 90, 30, 60), iteration(2, 20, 20, 1)}, 0, true},
		{"sleeps", []*record.Sample{iteration(2, 100, 1, 2), iteration(3, 100, 1, 2)}, 0.02, true},
		{"its own threads wait", []*record.Sample{iteration(2, 100, 99, 80)}, 0.01, true},
		{"two processors", []*record.Sample{iteration(2, 100, 180, 30)}, 0, true},
		{"the last delay is missing", []*record.Sample{iteration(2, 20, 20, 1), iteration(3, 20, 10, 0)}, 0.25, true},
		{"it is missing, and the benchmark sleeps", []*record.Sample{iteration(2, 100, 10, 1), iteration(3, 100, 10, 0)}, 0.01, true},
		{"no delay at all", []*record.Sample{iteration(2, 20, 10, 0), iteration(3, 20, 10, 0)}, 0, false},
		{"CPU time is gone at the end", []*record.Sample{iteration(2, 20, 10, 10), iteration(3, 20, 0, 5)}, 0.5, true},
		{"two lines at once", []*record.Sample{batched(iteration(2, 60, 30, 40)), batched(iteration(3, 0, 0, 1)), iteration(4, 20, 20, 1)}, 30. / 80, true},
		{"all lines at once", late(150, 40, 60, 45, 45), 0.6, true},
		{"all at once, long after they ended", late(1000, 40, 60, 50, 50), 0.6, true},
		{"all at once, calm", late(50, 45, 2, 22, 22), 2. / 47, true},
		{"all at once, it sleeps", late(110, 1, 1, 50, 50), 0.01, true},
		{"all at once, the start is the greater part", late(150, 100, 50, 5, 5), 0, false},
		{"all at once, no delay", late(100, 40, 0, 50, 50), 0, false},
		{"the first is the start", []*record.Sample{first(5), iteration(2, 20, 20, 1)}, 0, true},
		{"the first only", []*record.Sample{first(5)}, 0, false},
		{"the first is long", []*record.Sample{first(80)}, 0.3, true},
		{"too short", []*record.Sample{{Iter: 2, Phase: record.PhaseMeasure, Wall: 9e5, CPU: 1e5, Delay: 8e5}}, 0, false},
		{"roles", []*record.Sample{role(iteration(2, 20, 10, 10)), iteration(2, 20, 10, 10), iteration(3, 20, 20, 1)}, 0.25, true},
	} {
		got, known := Of(test.ss, 1)
		if math.Abs(got-test.want) > 1e-3 || known != test.known {
			t.Errorf("%s: lost %.3f, known %v; want %.3f, %v", test.name, got, known, test.want, test.known)
		}
	}
}

// TestOfProcessors: a benchmark that runs on several processors lost what it lacks of all of them, as a share of its threads'
// time. Threads that wait for each other lose no more than is missing.
func TestOfProcessors(t *testing.T) {
	for _, test := range []struct {
		name string
		ss   []*record.Sample
		want float64
	}{
		{"both processors", []*record.Sample{iteration(2, 100, 199, 1)}, 0.005},
		{"one and a half of two, beside a hog", []*record.Sample{iteration(2, 100, 150, 50)}, 0.25},
		{"one of two, beside two hogs", []*record.Sample{iteration(2, 100, 100, 100)}, 0.5},
		{"four threads on two processors", []*record.Sample{iteration(2, 100, 200, 200)}, 0},
		{"it waits for a lock", []*record.Sample{iteration(2, 100, 110, 2)}, 2. / 112},
		{"the last delay is missing", []*record.Sample{iteration(2, 100, 150, 50), iteration(3, 100, 150, 0)}, 0.25},
	} {
		if got, known := Of(test.ss, 2); math.Abs(got-test.want) > 1e-9 || !known {
			t.Errorf("%s: lost %.3f, known %v; want %.3f", test.name, got, known, test.want)
		}
	}
}

func TestProcessors(t *testing.T) {
	parallel := []string{record.FormN, record.FormParallel}
	for _, test := range []struct {
		forms        []string
		procs, cores int
		want         int
	}{
		{nil, 8, 4, 1}, {[]string{record.FormLoop}, 8, 4, 1}, {parallel, 8, 4, 4}, {parallel, 2, 4, 2}, {parallel, 2, 0, 2}, {parallel, 0, 4, 1},
	} {
		if got := ProcessorsOf(&record.Case{Forms: test.forms, Procs: test.procs}, test.cores); got != test.want {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

// TestMarkOfSeveral: threads of a fork also wait for each other: what others did not use is no loss.
func TestMarkOfSeveral(t *testing.T) {
	for _, test := range []struct {
		others *int64
		want   float64
	}{{nil, 0.25}, {new(100 * ms), 0.25}, {new(50 * ms), 0.25}, {new(int64(0)), 0}, {new(150 * ms / 9), 0.1}} {
		f := record.Fork{User: 150 * ms, Others: test.others}
		if Mark(&f, []*record.Sample{iteration(2, 100, 150, 50)}, 2); f.Lost == nil || *f.Lost != test.want || f.Starved != (test.want > Limit) {
			t.Errorf("others %v: %v, starved %v, want %g", test.others, f.Lost, f.Starved, test.want)
		}
	}
}

func TestOwn(t *testing.T) {
	for _, test := range []struct{ wall, cpu, delay, want int64 }{
		{30, 0, 0, 30}, {30, 20, 0, 30}, {30, 0, 9, 30}, {30, 20, 15, 20}, {30, 20, 4, 26}, {30, 50, 40, 30},
	} {
		if got := Own(iteration(2, test.wall, test.cpu, test.delay)); got != test.want*ms {
			t.Errorf("%+v: %d", test, got)
		}
	}
}

func TestMark(t *testing.T) {
	var f record.Fork
	if Mark(&f, nil, 1); f.Lost != nil || f.Starved {
		t.Errorf("of nothing: %+v", f)
	}
	if Mark(&f, []*record.Sample{iteration(2, 30, 20, 30)}, 1); f.Lost == nil || *f.Lost != 0.3333 || !f.Starved {
		t.Errorf("of a third: %+v", f)
	}
	if Mark(&f, []*record.Sample{iteration(2, 100, 95, 30)}, 1); *f.Lost != 0.05 || f.Starved {
		t.Errorf("of a twentieth: %+v", f)
	}
}

func TestSelect(t *testing.T) {
	shares := func(calm, aboveLimit int) []float64 {
		return slices.Concat(slices.Repeat([]float64{0.01}, calm), slices.Repeat([]float64{0.4}, aboveLimit))
	}
	for _, test := range []struct {
		sides [][]float64
		want  bool
	}{
		{nil, false},
		{[][]float64{shares(20, 0)}, false},
		{[][]float64{shares(5, 20)}, false},
		{[][]float64{shares(6, 20)}, true},
		{[][]float64{shares(6, 20), shares(20, 0)}, true},
		{[][]float64{shares(5, 20), shares(20, 1)}, false},
		{[][]float64{slices.Repeat([]float64{math.NaN()}, 20)}, false},
		{[][]float64{append(shares(5, 1), math.NaN())}, true},
		{[][]float64{slices.Repeat([]float64{Limit}, 20)}, false}, // a share equal to the limit is not above it
	} {
		if got := Select(test.sides...); got != test.want {
			t.Errorf("%v: %v", test.sides, got)
		}
	}
}

// TestShares: what was read counts; without it CPU time tells only of benchmarks that work all the time when they can.
func TestShares(t *testing.T) {
	lost := 0.25
	old := func(used ...int64) (fs []*record.Fork) {
		for _, u := range used {
			fs = append(fs, &record.Fork{Wall: 100, User: u - u/4, Sys: u / 4})
		}
		return fs
	}
	nan := math.NaN()
	for _, test := range []struct {
		name  string
		forks []*record.Fork
		want  []float64
	}{
		{"read", append(old(99, 50, 99, 99), &record.Fork{Wall: 100, User: 99, Lost: &lost}), []float64{nan, nan, nan, nan, 0.25}},
		{"works all the time", old(99, 45, 99, 95, 90), []float64{0, 0.5, 0, 0, 0}},
		{"sleeps", old(10, 10, 50, 12), []float64{nan, nan, nan, nan}},
		{"worked all the time once", old(99, 99, 50, 12, 40), []float64{nan, nan, nan, nan, nan}},
		{"waits for a processor all the time", old(60, 60, 50, 40), []float64{nan, nan, nan, nan}},
		{"several threads", old(190, 150, 180, 45), []float64{0, 0, 0, 0.5}},
		{"nothing known", []*record.Fork{{}, {Wall: 5}}, []float64{nan, nan}},
	} {
		got := Shares(test.forks)
		for i := range got {
			if !(math.Abs(got[i]-test.want[i]) < 0.01 || math.IsNaN(got[i]) && math.IsNaN(test.want[i])) {
				t.Errorf("%s: %v, want %v", test.name, got, test.want)
				break
			}
		}
	}
}

func TestMedian(t *testing.T) {
	if m, n := Median([]float64{0.4, math.NaN(), 0.1, 0.2}); m != 0.2 || n != 3 {
		t.Error(m, n)
	}
	if m, n := Median([]float64{0.4, 0.2}); math.Abs(m-0.3) > 1e-9 || n != 2 {
		t.Error(m, n)
	}
	if m, n := Median([]float64{math.NaN()}); m != 0 || n != 0 {
		t.Error(m, n)
	}
}

// TestMarkCommand: the delay of a command's first thread is the command's if that thread did its work.
func TestMarkCommand(t *testing.T) {
	for _, test := range []struct {
		name                    string
		wall, cpu, first, delay int64
		want                    float64 // negative: not known
	}{
		{"alone", 100, 99, 99, 1, 0.01},
		{"waits for a processor", 100, 50, 50, 49, 0.49},
		{"sleeps", 100, 1, 1, 0, 0},
		{"reads a disk, and waits", 100, 30, 30, 20, 0.2},
		{"other threads did the work", 100, 90, 20, 10, -1},
		{"a child did", 100, 90, 1, 50, -1},
		{"the kernel does not tell", 100, 90, 0, 0, -1},
		{"more CPU time than wall time", 100, 101, 101, 3, 0},
	} {
		f := record.Fork{Wall: test.wall * ms, User: test.cpu * ms}
		MarkCommand(&f, test.first*ms, test.delay*ms)
		if test.want < 0 {
			if f.Lost != nil || f.Starved {
				t.Errorf("%s: %v", test.name, *f.Lost)
			}
		} else if f.Lost == nil || *f.Lost != test.want || f.Starved != (test.want > Limit) {
			t.Errorf("%s: %v, want %g", test.name, f.Lost, test.want)
		}
	}
	f := record.Fork{Wall: ms / 2, User: ms / 4}
	if MarkCommand(&f, ms/4, ms/4); f.Lost != nil {
		t.Error("a command of half a millisecond")
	}
}

package sample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/profile/timerlog"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// simulated are looks at goroutines that are somewhere else each time.
func simulated(rng *rand.Rand, looks int, stacks int, where func() []int) *fileContent {
	s := &fileContent{stacks: make([]stack, stacks)}
	last := map[int]int{}
	for _, at := range gapsOf(rng, 10_000, int64(looks)) {
		l := wallSample{at: at}
		now := where()
		for i, n := range now {
			if old, had := last[i]; had && old == n {
				continue
			}
			if last[i] = n; n < 0 {
				l.changes = append(l.changes, change{slot: i, state: inGone})
			} else {
				l.changes = append(l.changes, change{i, inRunning, uint64(i), n})
			}
		}
		s.samples = append(s.samples, l)
	}
	return s
}

// TestMomentsCover: of many runs of programs of several goroutines, the figures are within
// their standard errors of what is true as often as they should be.
func TestMomentsCover(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	const looks, within = 300, 0.6827
	runs := testutil.Pick(400, 1000)
	tolerance := 5.4 * math.Sqrt(within*(1-within)/float64(runs)) // so many standard errors
	stacks := [][]frame{
		{{name: "main.nap"}, {name: "main.main"}},
		{{name: "main.main"}},
		{{name: "main.idle"}},
		{{name: "main.nap"}, {name: "main.f"}, {name: "main.nap"}, {name: "main.main"}},
	}
	with := func(n, i int) (out []int) {
		for range n {
			out = append(out, i)
		}
		return out
	}
	for _, c := range []struct {
		name  string
		where func(*rand.Rand) []int
		mean  map[string][2]float64 // goroutines in the function itself, and in what it calls, in the mean
		all   float64               // goroutines
		long  bool                  // it takes many seconds
	}{
		{"one", func(rng *rand.Rand) []int { return []int{btoi(rng.Float64() < 0.7)} },
			map[string][2]float64{"main.nap": {0.3, 0.3}, "main.main": {0.7, 1}}, 1, false},
		{"one, recursive", func(rng *rand.Rand) []int { return []int{3 * btoi(rng.Float64() < 0.5)} },
			map[string][2]float64{"main.nap": {1, 1}, "main.f": {0, 0.5}}, 1, false},
		{"one among idle ones", func(rng *rand.Rand) []int { return append(with(200, 2), btoi(rng.Float64() < 0.7)) },
			map[string][2]float64{"main.nap": {0.3, 0.3}, "main.main": {0.7, 1}, "main.idle": {200, 200}}, 201, true},
		{"all together", func(rng *rand.Rand) []int { return with(20, btoi(rng.Float64() < 0.6)) },
			map[string][2]float64{"main.nap": {8, 8}, "main.main": {12, 20}}, 20, true},
		{"each by itself", func(rng *rand.Rand) (out []int) {
			for range 10 {
				out = append(out, btoi(rng.Float64() < 0.6))
			}
			return out
		}, map[string][2]float64{"main.nap": {4, 4}, "main.main": {6, 10}}, 10, true},
		{"as many as there are", func(rng *rand.Rand) []int {
			out := with(12, -1)
			copy(out, with(rng.IntN(12), 2))
			return append(out, btoi(rng.Float64() < 0.6))
		}, map[string][2]float64{"main.nap": {0.4, 0.4}, "main.idle": {5.5, 5.5}, "main.main": {0.6, 1}}, 6.5, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.long {
				testutil.NeedLong(t, "simulates many goroutines")
			}
			rng := rand.New(rand.NewPCG(seed, 0))
			covered := map[string]int{}
			for range runs {
				s := simulated(rng, looks, len(stacks), func() []int { return c.where(rng) })
				res, err := buildResult(s, func(i int) []frame { return stacks[i] }, record.Sampled{Mode: record.SampledWall, Interval: 10_000}, nil)
				if err != nil {
					t.Fatal(err)
				}
				self, total, all := byName(res)
				errors := map[string]record.SampledError{}
				for _, e := range res.How.Errors {
					errors[e.Name] = e
				}
				near := func(what string, got, want, err float64) {
					if math.Abs(got-want) <= err+1e-6*want { // times in the profile are whole
						covered[what]++
					}
				}
				wall := float64(res.How.Wall)
				for name, mean := range c.mean {
					e, ok := errors[name]
					if !ok {
						t.Fatalf("no error of %s: %+v", name, res.How.Errors)
					}
					near(name+" self", self[name], mean[0]*wall, e.Self)
					near(name+" total", total[name], mean[1]*wall, e.Total)
					near(name+" self share", self[name]/all, mean[0]/c.all, e.SelfShare)
					near(name+" total share", total[name]/all, mean[1]/c.all, e.TotalShare)
				}
			}
			for name, mean := range c.mean {
				for i, what := range []string{" self", " total", " self share", " total share"} {
					part := float64(covered[name+what]) / float64(runs)
					exact := part == 1 && (mean[i%2] == math.Round(mean[i%2])) // found as often in every look
					if math.Abs(part-within) > tolerance && !exact {
						t.Errorf("%s: %.3f of the runs are within the standard error, want %.3f", name+what, part, within)
					}
				}
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// byName are the times of a result's functions by themselves and with what they called.
func byName(r *Result) (self, total map[string]float64, all float64) {
	self, total = map[string]float64{}, map[string]float64{}
	for _, s := range r.Profile.Sample {
		value, once := float64(s.Value[1]), map[string]bool{}
		all += value
		for i, l := range s.Location {
			name := l.Line[0].Function.Name
			if i == 0 {
				self[name] += value
			}
			if !once[name] {
				total[name] += value
			}
			once[name] = true
		}
	}
	return self, total, all
}

// TestMomentsSums: what is kept as things change is what the looks say one by one, also where
// only some of them count.
func TestMomentsSums(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for round := range 200 {
		stacks := rng.IntN(5) + 1
		names := func(k key) []string {
			return []string{fmt.Sprint("f", k.stack), fmt.Sprint("g", k.stack/2), fmt.Sprint("f", k.stack/3)}
		}
		now := make([]int, 1+rng.IntN(6))
		s := simulated(rng, 2+rng.IntN(40), stacks, func() []int {
			for i := range now {
				if rng.IntN(3) > 0 {
					now[i] = rng.IntN(stacks+1) - 1
				}
			}
			return now
		})
		var ran []timerlog.Span
		if end := s.samples[len(s.samples)-1].at; round%2 == 1 {
			ran = []timerlog.Span{{Begin: end / 5, End: end / 3}, {Begin: end / 2, End: end * 3 / 4}}
		}
		of := func(k key) int64 { return int64(k.stack % 3) }
		for _, l := range s.samples { // goroutines in stacks of odd numbers wait
			for i := range l.changes {
				if c := &l.changes[i]; c.state != inGone && c.stack%2 == 1 {
					c.state = inWaiting
				}
			}
		}
		runs := func(k key) int64 { return of(k) * int64(1-k.stack%2) }
		tl := &tally{ran: ran, found: map[key]*found{}, of: of, alike: func(a, b key) bool { return a == b }, moments: newMoments(names), running: newMoments(names)}
		tl.follow(s)
		sameErrors(t, tl.moments.errors(), oneByOne(tl, s, names, of))
		sameErrors(t, tl.running.errors(), oneByOne(tl, s, names, runs))
	}
}

func sameErrors(t *testing.T, got []record.SampledError, want map[string][5]float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%+v, want %+v", got, want)
	}
	for _, e := range got {
		w := want[e.Name]
		for i, x := range []float64{e.Self, e.Total, e.SelfShare, e.TotalShare} {
			if math.Abs(x-w[i]) > 1e-3*w[i]+1e-4*w[4]*float64(btoi(i < 2))+1e-4*float64(btoi(i >= 2)) {
				t.Fatalf("%+v, want %v", e, w)
			}
		}
	}
}

// oneByOne are the errors of each function, and the root of Σw², without shortcuts.
func oneByOne(tl *tally, s *fileContent, names func(key) []string, of func(key) int64) map[string][5]float64 {
	type found struct {
		w, all      float64
		self, total map[string]float64
	}
	var looks []found
	slots := map[int]key{}
	pending := int64(0)
	for i, l := range s.samples {
		since := s.start
		if i > 0 {
			since = s.samples[i-1].at
		}
		pending += tl.overlap(since, l.at)
		for _, c := range l.changes {
			if delete(slots, c.slot); c.state != inGone {
				slots[c.slot] = key{c.stack, c.state}
			}
		}
		if !tl.counts(l.at) {
			continue
		}
		half := float64(pending) / 2
		if n := len(looks); n > 0 {
			looks[n-1].w += half
		} else {
			half *= 2
		}
		pending = 0
		f := found{half, 0, map[string]float64{}, map[string]float64{}}
		for _, k := range slots {
			n := float64(of(k))
			f.all += n
			once := map[string]bool{}
			for i, name := range names(k) {
				if i == 0 {
					f.self[name] += n
				}
				if !once[name] {
					f.total[name] += n
				}
				once[name] = true
			}
		}
		looks = append(looks, f)
	}
	if n := len(looks); n > 0 {
		looks[n-1].w += float64(pending)
	}
	var w, time, squares float64
	self, total := map[string]float64{}, map[string]float64{}
	for _, f := range looks {
		w, time, squares = w+f.w, time+f.w*f.all, squares+f.w*f.w
		for name, x := range f.total {
			self[name] += f.w * f.self[name]
			total[name] += f.w * x
		}
	}
	out := map[string][5]float64{}
	for name := range total {
		if total[name] == 0 {
			continue
		}
		var e [5]float64
		for _, f := range looks {
			for i, x := range []float64{f.self[name] - self[name]/w, f.total[name] - total[name]/w, f.self[name] - self[name]/time*f.all, f.total[name] - total[name]/time*f.all} {
				e[i] += f.w * f.w * x * x
			}
		}
		out[name] = [5]float64{math.Sqrt(e[0]), math.Sqrt(e[1]), math.Sqrt(e[2]) / time, math.Sqrt(e[3]) / time, math.Sqrt(squares)}
	}
	return out
}

// BenchmarkFollow weighs 1000 looks at 10 000 goroutines, which are all in different places, or all in a
// few, and of which a part moves from look to look.
func BenchmarkFollow(b *testing.B) {
	for _, places := range []int{20, 10_000} {
		for _, moving := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("places=%d/moving=%d", places, moving), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(1, 2))
				now := make([]int, 10_000)
				for i := range now {
					now[i] = rng.IntN(places)
				}
				s := simulated(rng, 1000, places, func() []int {
					for range moving {
						now[rng.IntN(len(now))] = rng.IntN(places)
					}
					return now
				})
				stacks := make([][]frame, places)
				for i := range stacks {
					for d := range 12 {
						stacks[i] = append(stacks[i], frame{name: fmt.Sprintf("main.f%d_%d", d, i>>d)})
					}
				}
				for b.Loop() {
					if _, err := buildResult(s, func(i int) []frame { return stacks[i] }, record.Sampled{Mode: record.SampledWall, Interval: 10_000}, nil); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

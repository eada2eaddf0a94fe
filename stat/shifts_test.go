package stat

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// Fresh shuffles exceed the critical values of the table as often as p says.
func TestShiftCritical(t *testing.T) {
	trials := 6_000
	if testutil.Soak() {
		trials = 400_000
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, n := range []int{8, 14, 19, 33, 70, 200} {
		over := make([]int, len(criticalPs))
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(i)
		}
		for range trials {
			r.Shuffle(n, func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
			_, z := split(xs)
			for i, p := range criticalPs {
				over[i] += int(indicator(z >= shiftCritical(n, p)))
			}
		}
		for i, p := range criticalPs {
			// Few values have few different z, so that p may not be reached.
			most := p*float64(trials) + 5*math.Sqrt(p*float64(trials)) + 3
			least := p*float64(trials) - 5*math.Sqrt(p*float64(trials)) - 3
			if x := float64(over[i]); x > most || n >= 33 && x < least*0.9 {
				t.Errorf("n %d, p %g: %d of %d", n, p, over[i], trials)
			}
		}
	}
}

func TestShiftsExactAndGaps(t *testing.T) {
	forks := func(xs ...float64) [][]float64 {
		var out [][]float64
		for _, x := range xs {
			if math.IsNaN(x) {
				out = append(out, nil)
				continue
			}
			out = append(out, []float64{x, x})
		}
		return out
	}
	nan := math.NaN()
	got := Shifts(forks(3, 3, nan, 4, 4, 0, 0, 0), ShiftOptions{Exact: true})
	if len(got) != 2 || got[0].At != 3 || got[0].Ratio != 4.0/3 || got[1].At != 5 || got[1].Ratio != 0 {
		t.Errorf("%+v", got)
	}
	series := forks()
	for i := range 60 {
		x := 100 + float64(i*7%5)/10
		if i >= 40 {
			x *= 1.05
		}
		if i%3 == 1 {
			series = append(series, nil)
		} else {
			series = append(series, []float64{x})
		}
	}
	got = Shifts(series, ShiftOptions{})
	if len(got) != 1 || got[0].At != 41 || math.Abs(got[0].Ratio-1.05) > 0.005 || got[0].Lo > 1.05 || got[0].Hi < 1.05 || got[0].Fresh {
		t.Errorf("%+v", got)
	}
	for _, none := range [][][]float64{nil, forks(1), forks(1, 2, 3, 4, 5), forks(nan, nan, nan), forks(make([]float64, 100)...)} {
		if got := Shifts(none, ShiftOptions{}); len(got) > 0 {
			t.Errorf("%v: %+v", none, got)
		}
	}
}

// The order of the values decides whether there is a shift, not their size: any monotone change of the scale gives as many, near
// the same places.
func TestShiftsAreOfRanks(t *testing.T) {
	r := seeded(4)
	for range 50 {
		var a, b [][]float64
		for i := range 120 {
			x := r.NormFloat64() + 2*indicator(i >= 70)
			a, b = append(a, []float64{x}), append(b, []float64{math.Exp(3 * x)})
		}
		x, y := Shifts(a, ShiftOptions{Fresh: -1}), Shifts(b, ShiftOptions{Fresh: -1})
		if len(x) != len(y) {
			t.Fatalf("%v and %v", places(x), places(y))
		}
		for i := range x {
			if d := x[i].At - y[i].At; d < -placeReach || d > placeReach {
				t.Errorf("%v and %v", places(x), places(y))
			}
		}
	}
}

func places(xs []LevelShift) []int {
	var out []int
	for _, x := range xs {
		out = append(out, x.At)
	}
	return out
}

func TestCommon(t *testing.T) {
	r := seeded(6)
	medians := make([][]float64, 12)
	for b := range medians {
		for i := range 30 {
			x := math.Pow(10, float64(b)) * math.Exp(0.01*r.NormFloat64())
			if i >= 20 {
				x *= 1.1
			}
			medians[b] = append(medians[b], x)
		}
	}
	medians[3][5] = math.NaN()
	common := Common(medians)
	if got := Median(common[20:]) / Median(common[:20]); math.Abs(got-1.1) > 0.01 {
		t.Errorf("everything moved by %g", got)
	}
	without := WithoutCommon([][]float64{{100, 101}, nil}, []float64{1.25, 1})
	if without[0][0] != 80 || without[1] != nil {
		t.Errorf("%v", without)
	}
	for _, x := range Common(medians[:9]) {
		if x != 1 {
			t.Errorf("nine benchmarks share %g", x)
		}
	}
	if got := Common(nil); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestFreshPlace: a fresh shift begins with its first value, also where the value before it is within the noise of neither level.
func TestFreshPlace(t *testing.T) {
	r := seeded(7)
	for range 200 {
		const before = 20
		later := 4 + r.IntN(5)
		var xs []float64
		for i := range before + later {
			x := 100 * (1 + 0.01*r.NormFloat64())
			if i >= before {
				x *= 2
			}
			xs = append(xs, x)
		}
		got := Shifts(oneFork(xs), ShiftOptions{})
		if len(got) != 1 || got[0].At != before {
			t.Errorf("%d values behind it: %+v", later, got)
		}
	}
}

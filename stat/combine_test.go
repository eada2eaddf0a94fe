package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// bcg are the 13 trials of a vaccine in Colditz et al., JAMA 271, 1994: cases and others, treated and not. They are the
// usual example of software for meta-analysis.
var bcg = [][4]float64{
	{4, 119, 11, 128}, {6, 300, 29, 274}, {3, 228, 11, 209}, {62, 13536, 248, 12619}, {33, 5036, 47, 5761}, {180, 1361, 372, 1079},
	{8, 2537, 10, 619}, {505, 87886, 499, 87892}, {29, 7470, 45, 7232}, {17, 1699, 65, 1600}, {186, 50448, 141, 27197},
	{5, 2493, 3, 2338}, {27, 16886, 29, 17825},
}

// TestCombinePublished compares with published results of R's package metafor (Viechtbauer, Journal of Statistical
// Software 36, 2010; dat.bcg): Q = 152.233 and, by Paule and Mandel, τ² = 0.3181.
func TestCombinePublished(t *testing.T) {
	var es []Effect
	for _, x := range bcg {
		a, b, c, d := x[0], x[1], x[2], x[3]
		es = append(es, Effect{Log: math.Log(a / (a + b) / (c / (c + d))), SE: math.Sqrt(1/a - 1/(a+b) + 1/c - 1/(c+d))})
	}
	c := Combine(es, 0.95)
	near(t, "Q", c.Q, 152.233, 0.001)
	near(t, "variance", c.SD*c.SD, 0.3181, 0.0001)
	near(t, "log ratio", math.Log(c.Ratio.Value), -0.715, 0.001)
	near(t, "share", c.Share, 0.923, 0.001)
	if c.HomogeneityP > 1e-20 || c.P > 0.003 || c.Ratio.Hi >= 1 {
		t.Errorf("%+v", c)
	}
}

// TestCombineEqualErrors: machines with equal errors are a plain sample, whose t interval is exact.
func TestCombineEqualErrors(t *testing.T) {
	logs := []float64{-0.08, 0.02, 0.05, -0.03, 0.11}
	var es []Effect
	for _, x := range logs {
		es = append(es, Effect{Log: x, SE: 0.01})
	}
	c, want := Combine(es, 0.95), TInterval(logs, 0.95)
	near(t, "ratio", math.Log(c.Ratio.Value), want.Value, 1e-9)
	near(t, "lower bound", math.Log(c.Ratio.Lo), want.Lo, 1e-6)
	near(t, "upper bound", math.Log(c.Ratio.Hi), want.Hi, 1e-6)
	near(t, "variance", c.SD*c.SD+1e-4, squares(logs, mean(logs))/4, 1e-9)
	if !(c.Another.Lo < c.Ratio.Lo && c.Another.Hi > c.Ratio.Hi && c.These.Lo > c.Ratio.Lo) {
		t.Errorf("%+v", c)
	}
}

func TestCombineFew(t *testing.T) {
	if c := Combine(nil, 0.95); c.Machines != 0 || !math.IsNaN(c.Ratio.Value) || c.Ratio.Confidence != 0 {
		t.Errorf("none: %+v", c)
	}
	c := Combine([]Effect{{Log: math.Log(2), SE: 0.01}}, 0.95)
	if math.Abs(c.Ratio.Value-2) > 1e-12 || !math.IsInf(c.Ratio.Hi, 1) || c.Ratio.Lo != 0 || !math.IsNaN(c.P) {
		t.Errorf("one: %+v", c)
	}
	c = Combine([]Effect{{Log: 0.1, SE: 0.01}, {Log: 0.1, SE: 0.01}}, 0.95)
	near(t, "half-width for two that agree, in standard errors of one", math.Log(c.Ratio.Hi/c.Ratio.Value)/0.01, 12.706/math.Sqrt2, 0.001)
	if c = Combine([]Effect{{Log: 0.1, SE: 0.01}, {Log: 0.2, SE: 0.01}}, 2); c.Ratio.Confidence != 0 || !math.IsInf(c.Ratio.Hi, 1) {
		t.Errorf("impossible confidence: %+v", c)
	}
}

// TestCombineCoverage: 2 … 10 machines of unlike precision, whose errors are known from 10 forks a side, and a change
// that differs between machines by a standard deviation of 0 … 5 %.
func TestCombineCoverage(t *testing.T) {
	trials := testutil.Pick(100, 800)
	for i, sd := range []float64{0, 0.005, 0.01, 0.02, 0.05} {
		for _, k := range []int{2, 3, 5, 10} {
			t.Run(fmt.Sprintf("sd=%g/machines=%d", sd, k), func(t *testing.T) {
				r := seeded(uint64(100*i + k))
				var all, these, another, alarms, unlike int
				for range trials {
					es, truths := machinesOf(r, k, sd)
					c := Combine(es, 0.95)
					all += int(indicator(holds(c.Ratio, 0)))
					these += int(indicator(holds(c.These, mean(truths))))
					another += int(indicator(holds(c.Another, sd*r.NormFloat64())))
					alarms += int(indicator(c.P <= 0.05))
					unlike += int(indicator(c.HomogeneityP <= 0.05))
				}
				share := func(n int) float64 { return 100 * float64(n) / float64(trials) }
				t.Logf("of all %.1f %%, of these %.1f %%, another %.1f %%; p ≤ 5 %% in %.1f %%, homogeneity in %.1f %%",
					share(all), share(these), share(another), share(alarms), share(unlike))
				atLeast(t, "mean of all", all, trials, 0.94)
				atLeast(t, "mean of these", these, trials, 0.94)
				atLeast(t, "another", another, trials, 0.93)
				if sd == 0 {
					atLeast(t, "homogeneity accepted", trials-unlike, trials, 0.94)
				}
			})
		}
	}
}

func holds(e Estimate, log float64) bool { return e.Lo <= math.Exp(log) && math.Exp(log) <= e.Hi }

// machinesOf draws machines with errors of 0.3 … 1 % and a mean change of none.
func machinesOf(r *rand.Rand, k int, sd float64) (es []Effect, truths []float64) {
	const df = 18
	for range k {
		truth, se, sum := sd*r.NormFloat64(), 0.003*math.Exp(1.2*r.Float64()), 0.0
		for range df {
			sum += square(r.NormFloat64())
		}
		es = append(es, Effect{Log: truth + se*r.NormFloat64(), SE: se * math.Sqrt(sum/df), DF: df})
		truths = append(truths, truth)
	}
	return es, truths
}

// atLeast fails if hits of trials are so few that a rate of at least least is not believed, at 1 in 10,000.
func atLeast(t *testing.T, what string, hits, trials int, least float64) {
	t.Helper()
	if p := binomialCDF(trials, least, hits); p < 1e-4 {
		t.Errorf("%s: %d of %d, which is less than %g", what, hits, trials, least)
	}
}

// TestCombineInvariants: whatever is combined, intervals hold their values and each other, the mean lies among the
// ratios, and neither the order of machines nor the direction of the ratio matters.
func TestCombineInvariants(t *testing.T) {
	const seed = 20
	r := seeded(seed)
	for i := range testutil.Pick(300, 1000) {
		es := make([]Effect, 2+r.IntN(30))
		lo, hi, spread := inf, -inf, math.Exp(8*r.Float64()-8)
		for j := range es {
			es[j] = Effect{Log: spread * r.NormFloat64(), SE: math.Exp(9*r.Float64() - 9), DF: float64(r.IntN(40))}
			lo, hi = min(lo, es[j].Log), max(hi, es[j].Log)
		}
		c := Combine(es, 0.95)
		e, a := c.Ratio, c.Another
		if !(e.Lo <= e.Value && e.Value <= e.Hi && a.Lo <= e.Lo && e.Hi <= a.Hi && lo-1e-12 <= math.Log(e.Value) && math.Log(e.Value) <= hi+1e-12) {
			t.Fatalf("seed %d, %d: %+v of %+v", seed, i, c, es)
		}
		if !(c.P >= 0 && c.P <= 1 && c.HomogeneityP >= 0 && c.HomogeneityP <= 1 && c.Share >= 0 && c.Share <= 1 && c.SD >= 0) || (c.P < 0.05) != (e.Lo > 1 || e.Hi < 1) {
			t.Fatalf("seed %d, %d: %+v", seed, i, c)
		}
		r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
		for j := range es {
			es[j].Log = -es[j].Log
		}
		back := Combine(es, 0.95)
		near(t, "ratio the other way", math.Log(back.Ratio.Value), -math.Log(e.Value), 1e-6)
		near(t, "its bound", math.Log(back.Ratio.Lo), -math.Log(e.Hi), 1e-6)
		near(t, "another's bound", math.Log(back.Another.Lo), -math.Log(a.Hi), 1e-4)
		near(t, "homogeneity", back.HomogeneityP, c.HomogeneityP, 1e-6)
	}
}

// TestCombineMany: many machines are no trouble, and their mean becomes certain.
func TestCombineMany(t *testing.T) {
	es, _ := machinesOf(seeded(21), 2000, 0.02)
	c := Combine(es, 0.95)
	if !(c.Ratio.Hi-c.Ratio.Lo < 0.004 && c.Another.Hi > 1.03 && c.Another.Hi < 1.05) {
		t.Errorf("%+v", c)
	}
}

// FuzzCombine: no effects make it panic or run on.
func FuzzCombine(f *testing.F) {
	f.Add(0.1, 0.01, 3.0, -0.1, 0.0, 0.0, 0.95)
	f.Add(math.Inf(1), 1e-300, -1.0, math.NaN(), 1e300, 1e300, 2.0)
	f.Fuzz(func(t *testing.T, a, se, df, b, se2, df2, confidence float64) {
		Combine([]Effect{{a, se, df}, {b, se2, df2}, {a + b, se + se2, df}}, confidence)
		Combine([]Effect{{a, se, df}, {b, se2, df2}}, confidence)
	})
}

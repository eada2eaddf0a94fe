package result

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

func TestParseObjective(t *testing.T) {
	for text, want := range map[string]string{
		"p99<10ms":                   "{p99<10ms   p 99 true false 1e+07}",
		" READ p99.9 <= 20ms ":       "{READ p99.9 <= 20ms READ  p 99.9 false false 2e+07}",
		"read service p50<1us":       "{read service p50<1us READ service p 50 true false 1000}",
		"response max<1s":            "{response max<1s  response max 0 true false 1e+09}",
		"READ-MODIFY-WRITE mean<1ms": "{READ-MODIFY-WRITE mean<1ms READ-MODIFY-WRITE  mean 0 true false 1e+06}",
		"errors<0.1%":                "{errors<0.1%   errors 0 true true 0.001}",
		"UPDATE errors<=10":          "{UPDATE errors<=10 UPDATE  errors 0 false false 10}",
		"rate>=950/s":                "{rate>=950/s   rate 0 false false 950}",
		"rate>99%":                   "{rate>99%   rate 0 true true 0.99}",
	} {
		o, err := ParseObjective(text)
		if got := fmt.Sprint(struct {
			a, b, c, d string
			p          float64
			s, sh      bool
			bound      float64
		}{o.text, o.name, o.kind, o.metric, o.percent, o.strict, o.share, o.bound}); err != nil || got != want {
			t.Errorf("%q: %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", "p99", "p99<", "p0<1ms", "p101<1ms", "p99>10ms", "p99<10", "p99<-1ms", "p99=10ms", "p.9<1ms", "errors>1", "errors<1.5", "errors<200%", "errors<-1%",
		"rate<10/s", "rate>=x", "rate>=NaN", "READ rate>=10/s", "READ UPDATE p99<1ms", "service errors<1", "p99<10ms;", "p99.9.9<1ms", "median<1ms",
	} {
		if o, err := ParseObjective(text); err == nil {
			t.Errorf("%q is taken: %+v", text, o)
		} else if !strings.Contains(err.Error(), strings.TrimSpace(text)) {
			t.Errorf("%q: the error does not name it: %v", text, err)
		}
	}
}

func FuzzParseObjective(f *testing.F) {
	f.Add("READ response p99.9<20ms")
	f.Add("errors<0.1%")
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ParseObjective(text)
		if err != nil {
			return
		}
		if again, err := ParseObjective(o.String()); err != nil || again != o {
			t.Errorf("%q, read again: %+v, %v; want %+v", text, again, err, o)
		}
		if !(o.bound >= 0) {
			t.Errorf("%q: bound %v", text, o.bound)
		}
	})
}

// TestRanked holds the percentile of a histogram with lost values beyond against
// sorted values.
func TestRanked(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 300 {
		var h hist.Histogram
		var xs []float64
		for range 1 + rng.IntN(200) {
			x := rng.Int64N(1000) // exact in a histogram of 3 digits
			h.Record(x)
			xs = append(xs, float64(x))
		}
		lost := rng.IntN(30)
		for range lost {
			xs = append(xs, math.Inf(1))
		}
		slices.Sort(xs)
		p := []float64{50, 90, 99, 99.9, 100}[rng.IntN(5)]
		rank := (len(xs)*int(p*10) + 999) / 1000 // exact: ⌈p/100 × n⌉
		if got, want := ranked(&h, p, float64(lost), h.Max()), xs[rank-1]; got != want {
			t.Fatalf("p%g of %d values, %d lost: %v, want %v", p, len(xs), lost, got, want)
		}
	}
}

// TestObjectives judges the made-up runs.
func TestObjectives(t *testing.T) {
	for name, want := range map[string][]string{
		"steady": {
			"p99<1ms false UPDATE: UPDATE response 2.48 ms",
			"READ p50<300us true READ: READ response 250 µs",
			"errors<0.1% false : 4 of 2000 (0.2 %)",
			"rate>=99% true : 100 % of 500/s",
		},
		"closed": {
			"p99<1us true READ: READ service 47 ns",
			"rate>99% false : a closed loop asks for no rate",
			"UPDATE p50<1ms false UPDATE: no UPDATE was measured",
		},
	} {
		for i, o := range summaryOf(t, name).Objectives {
			if got := fmt.Sprintf("%s %v %s: %s", o.Objective, o.Met, o.Name, o.Text); i >= len(want) || got != want[i] {
				t.Errorf("%s: %s", name, got)
			}
		}
	}
}

// TestUnsentCounts: a tenth of the operations is in time; the others were never
// sent, and no percentile above 10 % is met.
func TestUnsentCounts(t *testing.T) {
	var h hist.Histogram
	h.RecordN(1000, 100)
	rows := []Latency{{Name: "READ", Kind: record.TagResponse, Percentiles: h.Percentiles(), hist: &h}}
	for _, c := range []struct {
		unsent, oldest int64
		p              string
		met            bool
	}{
		{900, 10e9, "p10<1ms", true},
		{900, 10e9, "p11<1ms", false},
		{900, 10e9, "max<1s", false},
		{900, 1e6, "p99<1ms", true}, // none of them is late yet
		{900, 2e6, "p20<1ms", false},
		{900, 2e6, "p18<1ms", true}, // half of them are: 450 of 550
		{0, 0, "p99<1ms", true},
	} {
		o, err := ParseObjective(c.p)
		must(t, err)
		l := &Load{TargetRate: 1000, Operations: 100, Unsent: c.unsent, UnsentOldest: c.oldest}
		if out := o.judge(l, rows); out.Met != c.met {
			t.Errorf("%+v: %+v", c, out)
		}
	}
}

func TestFindKnee(t *testing.T) {
	steps := func(rates ...float64) []Load { // negative ones missed
		var out []Load
		for _, r := range rates {
			out = append(out, Load{TargetRate: math.Abs(r), Met: r > 0})
		}
		return out
	}
	for _, c := range []struct {
		steps []Load
		want  Knee
	}{
		{nil, Knee{Step: -1}},
		{steps(-100), Knee{Step: -1, Above: 100}},
		{steps(100, 200, -400, 300, 300), Knee{Rate: 300, Times: 2, Confirmed: true, Below: 200, Above: 400, Step: 4}},
		{steps(100, 200, -400, 300, -300, 200), Knee{Rate: 200, Times: 2, Confirmed: true, Below: 100, Above: 300, Step: 5}},
		{steps(100, 200), Knee{Rate: 200, Times: 1, Below: 100, Step: 1}},
		{steps(100.02, 99.98), Knee{Rate: 100.02, Times: 2, Confirmed: true, Step: 1}},
		{append(steps(100), Load{TargetRate: 200, Met: true, Partial: true}), Knee{Rate: 100, Times: 1, Step: 0}},
		{steps(400, -200, 100), Knee{Rate: 100, Times: 1, Above: 200, Step: 2}}, // nothing above what was missed
	} {
		if got := *FindKnee(c.steps); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.steps, got, c.want)
		}
	}
}

func TestObjectiveOperation(t *testing.T) {
	for text, want := range map[string]string{"p99<10ms": "", "read p99<10ms": "READ", "READ service mean<1ms": "READ", "errors<1%": ""} {
		o, err := ParseObjective(text)
		if got := o.Operation(); err != nil || got != want {
			t.Errorf("%s is about %q, %v; want %q", text, got, err, want)
		}
	}
}

package result

import (
	"fmt"
	"math"
	"testing"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/numbers/objective"
	"github.com/tarebench/tare/internal/numbers/unanswered"
	"github.com/tarebench/tare/record"
)

// TestObjectives judges the made-up runs.
func TestObjectives(t *testing.T) {
	for name, want := range map[string][]string{
		"steady": {
			"p99<1ms false UPDATE: UPDATE response 2.48 ms",
			"READ p50<300us true READ: READ response 250 µs",
			"errors<0.1% false : 4 of 2000 (0.2 %)",
			"rate>=99% true : 499/s of 500/s without an error",
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

// TestStepObjectives: a step has a service time only. Its objective, whose name may be written in
// other letters, is about that, and one about every operation is not about steps.
func TestStepObjectives(t *testing.T) {
	var whole, step, bad hist.Histogram
	whole.RecordN(5e6, 100)
	step.RecordN(2e6, 90)
	bad.RecordN(1e9, 10)
	row := func(name, kind string, h *hist.Histogram) Latency {
		return Latency{Name: name, Kind: kind, Percentiles: h.Percentiles(), hist: h}
	}
	rows := []Latency{row("buy", record.TagResponse, &whole), row("buy", record.TagService, &whole), row("buy/login", record.TagService, &step), row("buy/login", record.TagFailed, &bad)}
	for text, met := range map[string]bool{
		"buy/login p50<3ms": true, "BUY/login p50<1ms": false, "buy/login service mean<3ms": true, "buy/login p95<3ms": false,
		"buy/login errors<=10%": true, "buy/login errors<10%": false, "p99<6ms": true, "buy p99<6ms": true,
	} {
		o, err := objective.Parse(text)
		must(t, err)
		l := &Load{TargetRate: 10, Operations: 100, Scheduled: 100}
		if out := judge([]objective.Objective{o}, l, rows)[0]; out.Met != met {
			t.Errorf("%s: %+v", text, out)
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
		o, err := objective.Parse(c.p)
		must(t, err)
		l := &Load{TargetRate: 1000, Operations: 100, Unsent: c.unsent, UnsentOldest: c.oldest}
		if out := judge([]objective.Objective{o}, l, rows)[0]; out.Met != c.met {
			t.Errorf("%+v: %+v", c, out)
		}
	}
}

// TestLowerBound: an objective that a lower bound keeps is not decided; one that it misses is missed.
func TestLowerBound(t *testing.T) {
	var answered, waited hist.Histogram
	answered.RecordN(5e9, 2)
	waited.RecordN(450e6, 8)
	waits := new(unanswered.Waits)
	waits.Add(&waited, 1)
	rows := []Latency{{Name: "READ", Kind: record.TagResponse, Percentiles: answered.Percentiles(), hist: &answered, waits: waits}}
	for p, want := range map[string]string{"p50<1s": "not decided", "p50<100ms": "missed"} {
		o, err := objective.Parse(p)
		must(t, err)
		if out := judge([]objective.Objective{o}, &Load{TargetRate: 10, Operations: 2, Unsent: 8, UnsentOldest: 450e6}, rows)[0]; out.Word() != want {
			t.Errorf("%s: %s, want %s: %+v", p, out.Word(), want, out)
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
	const late = "the load generator was late (up to 12.0 ms)"
	undecided := func(rate float64) []Load {
		var h hist.Histogram
		h.Record(12e6)
		return []Load{{TargetRate: rate, Undecided: true, Lateness: &Latency{Percentiles: h.Percentiles(), hist: &h}}}
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
		{undecided(100), Knee{Step: -1, Undecided: 100, Why: late}},
		{append(undecided(100), steps(100, 200, -400, 200)...), Knee{Rate: 200, Times: 2, Confirmed: true, Below: 100, Above: 400, Step: 4}},
		{append(steps(100, -400, 300), undecided(200)...), Knee{Rate: 100, Times: 1, Step: 0, Undecided: 200, Why: late, Above: 400}},
		{append(steps(-200), undecided(200)...), Knee{Step: -1, Above: 200}},
	} {
		if got := *FindKnee(c.steps); got != c.want {
			t.Errorf("%+v: %+v, want %+v", c.steps, got, c.want)
		}
	}
}

package gate

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

func row(unit string, verdict stat.Verdict, ratio float64, trusted bool) result.Comparison {
	c := result.Comparison{Pkg: "m", Name: "Work", Procs: 1, Base: "old", Side: "new", Unit: unit, Main: unit == "ns/op"}
	found := stat.Comparison{Verdict: verdict, Old: 100, New: 100 * ratio, Ratio: ratio, Lo: ratio - 0.01, Hi: ratio + 0.01, P: 1e-9, M: 20, N: 20}
	found.Options = stat.Options{Confidence: 0.95, Threshold: 0.03, Exact: unit == "B/op", HigherIsBetter: record.IsRate(unit)}
	if found.Options.Exact {
		found.P, found.Lo, found.Hi = math.NaN(), ratio, ratio
	}
	if verdict == stat.Undecided {
		found.P, found.Lo, found.Hi = 0.5, 0.9, 1.1
	}
	found.Bound = math.Max(found.Hi, 1/found.Lo) - 1
	if c.Trusted = trusted; verdict == stat.Identical {
		c.Verdict, c.Ratio, c.Lo, c.Hi = string(verdict), 1, 1, 1 // a builder judges it by no test
	} else {
		c.Judge(found)
	}
	if !trusted {
		c.Reasons = []string{diagnosis.Steal}
	}
	return c
}

// judged checks and reports gates, and returns the exit code and what was printed.
func judged(t *testing.T, res *result.Result, lost Lost, texts ...string) (int, string) {
	t.Helper()
	gates, err := Parse(texts)
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(gates, res, lost); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	code := 0
	if e := exit.As(Report(&b, gates, res)); e != nil {
		code = e.Code
	}
	return code, b.String()
}

// TestUntrusted: a row that is not trusted is never missed and never passes, whatever its verdict is. A miss comes first.
func TestUntrusted(t *testing.T) {
	for _, c := range []struct {
		what string
		rows []result.Comparison
		gate string
		code int
		said string
	}{
		{"slower", []result.Comparison{row("ns/op", stat.Slower, 1.2, true)}, "slower:5%", 3, "missed: Work ns/op"},
		{"slower, not trusted", []result.Comparison{row("ns/op", stat.Slower, 1.2, false)}, "slower:5%", 4, "not decided: Work ns/op: new is slower"},
		{"equivalent", []result.Comparison{row("ns/op", stat.Equivalent, 1, true)}, "slower:5%", 0, ""},
		{"equivalent, not trusted", []result.Comparison{row("ns/op", stat.Equivalent, 1, false)}, "slower:5%", 4, "not trusted: steal"},
		{"undecided", []result.Comparison{row("ns/op", stat.Undecided, 1, true)}, "slower:5%", 0, "passes undecided: "},
		{"undecided, not trusted", []result.Comparison{row("ns/op", stat.Undecided, 1, false)}, "slower:5%", 4, "not decided: "},
		{"a rate, not trusted", []result.Comparison{row("ops/s", stat.Faster, 1.2, false)}, "slower:5%", 4, "not decided: Work ops/s"},
		{"below the limit, not trusted", []result.Comparison{row("ns/op", stat.Slower, 1.045, false)}, "slower:5%", 4, "not decided: "},
		{"another benchmark", []result.Comparison{row("ns/op", stat.Slower, 1.2, false)}, "slower:5%@.name:Other", 0, "checks nothing"},
		{"a count beside a time that is not trusted", []result.Comparison{row("ns/op", stat.Slower, 1.2, false), row("B/op", stat.Same, 1, true)}, "more:0%", 0, ""},
		{"more, beside a time that is not trusted", []result.Comparison{row("ns/op", stat.Slower, 1.2, false), row("B/op", stat.More, 2, true)}, "more:0%", 3, "missed: Work B/op"},
		{"a count that is not trusted", []result.Comparison{row("B/op", stat.Same, 1, false)}, "more:0%", 4, "not decided: Work B/op"},
		{"missed and not decided", []result.Comparison{row("ns/op", stat.Slower, 1.2, false), row("ops/s", stat.Slower, 0.5, true)}, "slower:5%", 3, "missed: Work ops/s"},
		{"identical", []result.Comparison{row("ns/op", stat.Identical, 1, true)}, "slower:5%", 0, ""},
	} {
		code, said := judged(t, &result.Result{Comparisons: c.rows}, LostNotDecided, c.gate)
		if code != c.code || !strings.Contains(said, c.said) || c.said == "" && said != "" {
			t.Errorf("%s: exit %d, want %d\n%s", c.what, code, c.code, said)
		}
	}
	code, said := judged(t, &result.Result{Comparisons: []result.Comparison{row("ns/op", stat.Slower, 9, false)}}, LostNotDecided)
	if code != 0 || said != "" {
		t.Errorf("without a gate: exit %d, %s", code, said)
	}
}

// TestLost: what was lost is under the gates whose filter it matches.
func TestLost(t *testing.T) {
	whole := result.Lost{Pkg: "m", Name: "Work", Procs: 1, Base: "old", Side: "new", Text: "gone"}
	unit, counts, instructions := whole, whole, whole
	unit.Unit, counts.Unit, instructions.Unit = "ns/op", "B/op", result.UnitInstructions
	counted := &result.Result{Results: []result.Benchmark{{Name: "Sort", Instructions: &result.Instructions{}}}}
	for _, c := range []struct {
		what  string
		lost  result.Lost
		gates string
		how   Lost
		code  int
		state string
	}{
		{"whole", whole, "slower:5%", LostNotDecided, 4, result.GateNotDecided},
		{"fails", whole, "slower:5%", LostFails, 3, result.GateMissed},
		{"passes", whole, "slower:5%", LostPasses, 0, result.GateLost},
		{"under counts", whole, "more:0%", LostNotDecided, 4, result.GateNotDecided},
		{"by its name", whole, "slower:5%@.name:Work", LostNotDecided, 4, result.GateNotDecided},
		{"of others", whole, "slower:5%@.name:Other", LostNotDecided, 0, ""},
		{"of others, fails", whole, "slower:5%@.name:Other", LostFails, 0, ""},
		{"of two gates", whole, "slower:5%@.name:Other more:0%", LostNotDecided, 4, result.GateNotDecided},
		{"no gate", whole, "", LostNotDecided, 0, ""},
		{"no gate, and fails", whole, "", LostFails, 3, result.GateMissed},
		{"no gate, and passes", whole, "", LostPasses, 0, ""},
		{"a time", unit, "slower:5%", LostNotDecided, 4, result.GateNotDecided},
		{"a time under counts", unit, "more:0%", LostNotDecided, 0, ""},
		{"a count", counts, "more:0%", LostNotDecided, 4, result.GateNotDecided},
		{"a count under times", counts, "slower:5%", LostNotDecided, 0, ""},
		{"under functions", whole, "more:1%@func:/Work/", LostNotDecided, 4, result.GateNotDecided},
		{"under a part", whole, "more:1%@part:own", LostNotDecided, 4, result.GateNotDecided},
		{"under functions of others", whole, "more:1%@(func:m.Work)-.name:Work", LostNotDecided, 0, ""},
		{"instructions", instructions, "more:1%@func:m.Work", LostNotDecided, 4, result.GateNotDecided},
		{"instructions under counts", instructions, "more:0%", LostNotDecided, 0, ""},
		{"a time under functions", unit, "more:1%@func:m.Work", LostNotDecided, 0, ""},
	} {
		res := *counted
		res.Lost = []result.Lost{c.lost}
		code, said := judged(t, &res, c.how, strings.Fields(c.gates)...)
		if state := res.GateOfLost(&c.lost); code != c.code || state != c.state {
			t.Errorf("%s: exit %d, want %d; %q, want %q\n%s", c.what, code, c.code, state, c.state, said)
		}
		if c.state != "" && !strings.Contains(said, "lost: Work") {
			t.Errorf("%s: does not name it: %s", c.what, said)
		}
	}
}

// TestRenamed: a pair is under the gates of both names. It can miss them, and the lost name comes first and stays not decided.
func TestRenamed(t *testing.T) {
	for _, c := range []struct {
		ratio float64
		gate  string
		code  int
	}{
		{1.5, "slower:5%", 3}, {1.5, "slower:5%@.name:Work", 3}, {1.5, "slower:5%@.name:Work2", 3}, {1.5, "slower:5%@.name:Other", 0},
		{1.045, "slower:5%", 4}, {1.045, "slower:5%@.name:Work", 4},
	} {
		pair := row("ns/op", stat.Slower, c.ratio, true)
		pair.Name, pair.Renamed = "Work → Work2", &result.Renamed{From: "Work", To: "Work2"}
		res := &result.Result{
			Lost:        []result.Lost{{Pkg: "m", Name: "Work", Procs: 1, Base: "old", Side: "new", RenamedTo: "Work2"}},
			Comparisons: []result.Comparison{pair},
		}
		code, said := judged(t, res, LostNotDecided, c.gate)
		if code != c.code || strings.Contains(said, "lost") && !res.Gates[0].IsLost() {
			t.Errorf("%+v: exit %d\n%s", c, code, said)
		}
	}
}

// TestCounts: a row counts once, as the worst that became of it.
func TestCounts(t *testing.T) {
	res := &result.Result{
		Lost: []result.Lost{{Pkg: "m", Name: "Gone", Procs: 1, Base: "old", Side: "new"}},
		Comparisons: []result.Comparison{
			row("ns/op", stat.Slower, 1.2, true), row("MB/s", stat.Slower, 0.8, false), row("ops/s", stat.Equivalent, 1, true), row("B/op", stat.Same, 1, true),
		},
	}
	judged(t, res, LostNotDecided, "slower:5%", "slower:50%", "more:0%")
	if want := (result.GateCounts{Missed: 1, NotDecided: 2, Passed: 2}); !reflect.DeepEqual(*res.GateCounts, want) {
		t.Errorf("%+v, want %+v", *res.GateCounts, want)
	}
	if i := slices.IndexFunc(res.Gates, func(g result.Gated) bool { return g.State == result.GateNotDecided && !g.IsLost() }); res.Gates[i].Reasons[0] != diagnosis.Steal {
		t.Errorf("%+v", res.Gates[i])
	}
	judged(t, res, LostNotDecided)
	if res.GateCounts != nil {
		t.Errorf("without gates: %+v", res.GateCounts)
	}
}

// TestLostValue: a flag takes no other word.
func TestLostValue(t *testing.T) {
	var l Lost
	for text, ok := range map[string]bool{"fail": true, "pass": true, "": true, "x": false, "FAIL": false, "pass:Work": false} {
		if err := l.Set(text); (err == nil) != ok || ok && l.String() != text {
			t.Errorf("%q: %v", text, err)
		}
	}
}

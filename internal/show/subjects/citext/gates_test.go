package citext

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
)

// withLost is a comparison of n slower benchmarks, of which the first is not decided, and a benchmark that was lost.
func withLost(n int, state string) *result.Result {
	res := slower(n)
	l := result.Lost{Pkg: "example.org/m/codec", Name: "Gone\n| a", Procs: 1, Base: "old", Side: "new", Text: "new lacks it"}
	res.Lost = []result.Lost{l}
	res.GateCounts = &result.GateCounts{Missed: n - 1, NotDecided: 1}
	if n > 0 {
		res.Gates[0].State = result.GateNotDecided
		res.Comparisons[0].Trusted, res.Comparisons[0].Reasons = false, []string{diagnosis.Steal}
	}
	if state != "" {
		res.Gates = append([]result.Gated{{Gate: "slower:5%", State: state, Reasons: []string{result.ReasonLost}, Pkg: l.Pkg, Name: l.Name, Procs: 1, Side: "new", Text: "lost"}}, res.Gates...)
		res.GateCounts.NotDecided++
	}
	return res
}

// TestSummaryOfLost: the first line counts what was missed, not decided and lost; what was lost comes first below it.
func TestSummaryOfLost(t *testing.T) {
	md := (&Summary{Result: withLost(3, result.GateNotDecided)}).Markdown(MaxComment)
	lines := strings.Split(md, "\n")
	if lines[0] != "### tare: 2 gates missed, 2 not decided, 1 benchmark lost" {
		t.Error(lines[0])
	}
	if !strings.HasPrefix(lines[2], "- **lost**, not decided: Gone") || !strings.HasPrefix(lines[3], "- gate `slower:5%`: B1") || !strings.HasPrefix(lines[5], "- not decided: gate `slower:5%`: B0") {
		t.Errorf("%q", lines[:6])
	}
	for state, want := range map[string]string{"": "under no gate", result.GateLost: "which passes", result.GateMissed: "a missed gate"} {
		md := (&Summary{Result: withLost(0, state)}).Markdown(MaxComment)
		if !strings.Contains(md, "- **lost**, "+want+": Gone") || !strings.Contains(md, "1 benchmark lost\n") {
			t.Errorf("%s: %q", state, md)
		}
	}
	many := withLost(0, "")
	for range 30 {
		many.Lost = append(many.Lost, many.Lost[0])
	}
	if md := (&Summary{Result: many}).Markdown(MaxComment); !strings.Contains(md, "- and 11 more\n") {
		t.Errorf("%q", md)
	}
}

// TestAnnotationsOfLost: errors come first, and of the warnings what was lost.
func TestAnnotationsOfLost(t *testing.T) {
	at := func(pkg, name string) (string, int) { return "a.go", 7 }
	list := Annotations(withLost(3, result.GateNotDecided), at)
	if len(list) != 4 || list[0].Level != "error" || list[2].Title != "lost: Gone\n| a" || list[2].Level != "warning" || !strings.HasPrefix(list[3].Title, "not decided: B0") {
		t.Errorf("%+v", list)
	}
	if list := Annotations(withLost(0, result.GateMissed), at); len(list) != 1 || list[0].Level != "error" {
		t.Errorf("%+v", list)
	}
	renamed := withLost(1, "")
	renamed.Comparisons[0].Name, renamed.Comparisons[0].Renamed = "A → B", &result.Renamed{From: "A", To: "B"}
	renamed.Gates[0].Name, renamed.Lost[0].RenamedTo = "A → B", "B"
	for _, a := range Annotations(renamed, func(_, name string) (string, int) { return name, 1 }) {
		if a.File != "B" {
			t.Errorf("%+v", a)
		}
	}
}

// TestOutputsOfLost: counts for workflows.
func TestOutputsOfLost(t *testing.T) {
	got := map[string]string{}
	for _, kv := range Outputs(&Summary{Result: withLost(3, result.GateNotDecided)}) {
		got[kv[0]] = kv[1]
	}
	if got["missed"] != "2" || got["not_decided"] != "2" || got["lost"] != "1" {
		t.Error(got)
	}
}

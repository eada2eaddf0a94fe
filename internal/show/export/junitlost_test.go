package export

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// TestJUnitLost: what was lost is the first test, with the outcome of its gate, and what failed with it is no second
// one.
func TestJUnitLost(t *testing.T) {
	for _, c := range []struct {
		state         string
		failed        bool
		outcome, want string
	}{
		{result.GateNotDecided, false, "error", ""},
		{result.GateNotDecided, true, "error", "panic: x"},
		{result.GateMissed, false, "failure", ""},
		{result.GateLost, false, "skipped", ""},
		{result.GateLost, true, "skipped", ""},
		{"", false, "skipped", ""},
		{"", true, "error", "panic: x"},
	} {
		l := result.Lost{Pkg: "m", Name: "Work\x1b<&", Procs: 1, Base: "old", Side: "new", Text: "gone \"<&\x00"}
		s := &result.Result{
			Lost: []result.Lost{l},
			Comparisons: []result.Comparison{{Pkg: "m", Name: "A", Procs: 1, Base: "old", Side: "new", Unit: "ns/op", Main: true, Trusted: true,
				Verdict: string(stat.Equivalent), Ratio: 1, Lo: 1, Hi: 1}},
		}
		if c.failed {
			s.Results = []result.Benchmark{{Pkg: "m", Name: l.Name, Procs: 1, Side: "new", Failed: "failed", Tail: "panic: x"}}
		}
		if c.state != "" {
			s.Gates = []result.Gated{{Gate: "slower:5%", State: c.state, Reasons: []string{result.ReasonLost}, Pkg: "m", Name: l.Name, Procs: 1, Side: "new"}}
		}
		var b bytes.Buffer
		if err := JUnit(&b, s); err != nil {
			t.Fatal(err)
		}
		type outcome struct {
			Message string `xml:"message,attr"`
			Text    string `xml:",chardata"`
		}
		var suites struct {
			Tests int `xml:"tests,attr"`
			Suite []struct {
				Cases []struct {
					Name    string   `xml:"name,attr"`
					Error   *outcome `xml:"error"`
					Failure *outcome `xml:"failure"`
					Skipped *outcome `xml:"skipped"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal(b.Bytes(), &suites); err != nil {
			t.Fatalf("%v: %s", err, &b)
		}
		if suites.Tests != 2 || !strings.HasPrefix(suites.Suite[0].Cases[0].Name, "Work") {
			t.Errorf("%+v: %s", c, &b)
			continue
		}
		x := suites.Suite[0].Cases[0]
		got := map[string]*outcome{"error": x.Error, "failure": x.Failure, "skipped": x.Skipped}[c.outcome]
		if got == nil || !strings.Contains(got.Message, "lost: gone") || !strings.Contains(got.Text, c.want) {
			t.Errorf("%+v: %s", c, &b)
		}
	}
}

// TestJUnitNotDecided: a gate on a row that is not trusted is an error, and says why.
func TestJUnitNotDecided(t *testing.T) {
	c := result.Comparison{Pkg: "m", Name: "A", Procs: 1, Base: "old", Side: "new", Unit: "ns/op", Main: true, Verdict: string(stat.Slower), Ratio: 2, Lo: 2, Hi: 2, Reasons: []string{"steal"}}
	s := &result.Result{Comparisons: []result.Comparison{c}}
	for state, want := range map[string]string{result.GateNotDecided: `<error type="not-decided" message="slower: 2 [2, 2]; not trusted: steal">`, result.GateUndecided: "<skipped ", "": `name="A ns/op"/>`} {
		if s.Gates = nil; state != "" {
			s.Gates = []result.Gated{{State: state, Pkg: "m", Name: "A", Procs: 1, Side: "new", Unit: "ns/op"}}
		}
		var b bytes.Buffer
		if err := JUnit(&b, s); err != nil || !strings.Contains(b.String(), want) {
			t.Error(fmt.Sprint(state, ": ", err), b.String())
		}
	}
}

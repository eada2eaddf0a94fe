package fork

import (
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

func TestJudge(t *testing.T) {
	good := benchResult{name: "BenchmarkA/b-2", n: 1}
	other := benchResult{name: "BenchmarkA/b", n: 1}
	failed := []failure{{"A/b", "x_test.go:5: no good"}}
	for _, test := range []struct {
		name       string
		exit       string
		x          execution
		p          printed
		state, why string
	}{
		{name: "good", exit: "0", p: printed{results: []benchResult{good, good}}, state: record.StateOK},
		{name: "good, and talks of failures", exit: "0", p: printed{results: []benchResult{good, good}, panic: "panic: x", panicCertain: true, failed: failed}, state: record.StateOK},
		{name: "none", exit: "0", state: record.StateFailed, why: "exited normally but printed 0 of 2 results"},
		{name: "too few", exit: "0", p: printed{results: []benchResult{good}}, state: record.StateFailed, why: "exited normally but printed 1 of 2 results"},
		{name: "too many", exit: "0", p: printed{results: []benchResult{good, good}, extra: 5}, state: record.StateFailed, why: "exited normally but printed 7 of 2 results"},
		{name: "another", exit: "0", p: printed{results: []benchResult{good, other}}, state: record.StateFailed, why: "printed a result of BenchmarkA/b"},
		{name: "status", exit: "3", p: printed{results: []benchResult{good, good}}, state: record.StateFailed, why: "ended with status 3"},
		{name: "signal", exit: "signal: killed", p: printed{results: []benchResult{good, good}}, state: record.StateFailed, why: "ended with signal: killed"},
		{name: "panic", exit: "2", p: printed{results: []benchResult{good}, panic: "panic: x", panicCertain: true}, state: record.StateFailed, why: "panic: x"},
		{name: "panic mentioned", exit: "3", p: printed{panic: "panic: x"}, state: record.StateFailed, why: "panic: x"},
		{name: "panic, and exit 0 was quicker", exit: "0", p: printed{results: []benchResult{good}, panic: "panic: x", panicCertain: true}, state: record.StateFailed, why: "panic: x"},
		{name: "panic mentioned, exit 0", exit: "0", p: printed{panic: "panic: x"}, state: record.StateFailed, why: "exited normally but printed 0 of 2 results"},
		{name: "fail", exit: "1", p: printed{failed: failed}, state: record.StateFailed, why: "the benchmark failed: x_test.go:5: no good"},
		{name: "fail without a word", exit: "1", p: printed{failed: []failure{{"A/b", ""}}}, state: record.StateFailed, why: "the benchmark failed"},
		{name: "fail that TestMain hides", exit: "0", p: printed{results: []benchResult{good}, failed: failed}, state: record.StateFailed, why: "the benchmark failed: x_test.go:5: no good"},
		{name: "timeout", exit: "signal: killed", x: execution{timedOut: true, limit: 3 * time.Second}, p: printed{results: []benchResult{good, good}}, state: record.StateTimeout, why: "did not end within 3s"},
		{name: "interrupted", exit: "signal: killed", x: execution{killed: true}, state: record.StatePartial, why: "interrupted"},
	} {
		f := record.Fork{Exit: test.exit}
		setState(&f, &test.x, test.p, "BenchmarkA/b-2", 2)
		if f.State != test.state || f.Why != test.why {
			t.Errorf("%s: %s: %q, want %s: %q", test.name, f.State, f.Why, test.state, test.why)
		}
	}
}

package gate

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// Lost is what becomes of a benchmark that the base has and another side has lost, skipped or failed.
type Lost string

// What becomes of it.
const (
	LostNotDecided Lost = ""     // its gates are not decided
	LostFails      Lost = "fail" // its gates are missed
	LostPasses     Lost = "pass" // its gates pass
)

// Set implements job.Value.
func (l *Lost) Set(s string) error {
	switch x := Lost(s); x {
	case LostNotDecided, LostFails, LostPasses:
		*l = x
		return nil
	}
	return fmt.Errorf("%q is neither fail nor pass", s)
}

// String implements job.Value.
func (l *Lost) String() string { return string(*l) }

// Type implements job.Value.
func (l *Lost) Type() string { return "string" }

func (l Lost) state() string {
	switch l {
	case LostFails:
		return result.GateMissed
	case LostPasses:
		return result.GateLost
	}
	return result.GateNotDecided
}

// checkLost adds what was lost and is under a gate. Where there are no gates, it is under that of LostFails alone, if that is asked for.
func checkLost(gates []*Gate, res *result.Result, lost Lost, c *counter) error {
	for i := range res.Lost {
		l := &res.Lost[i]
		var under []string
		for _, g := range gates {
			ok, err := g.isUnder(l)
			if err != nil {
				return err
			}
			if ok {
				under = append(under, g.text)
			}
		}
		if len(gates) == 0 && lost == LostFails {
			under = []string{"lost: fail"}
		}
		if len(under) == 0 {
			continue
		}
		found := result.Gated{
			Gate: strings.Join(under, ", "), State: lost.state(), Reasons: []string{result.ReasonLost},
			Pkg: l.Pkg, Name: l.Name, Procs: l.Procs, Role: l.Role, Side: l.Side, Unit: l.Unit, Text: "lost: " + l.String(),
		}
		c.add(found)
		res.Gates = append(res.Gates, found)
	}
	return nil
}

// isUnder reports whether the gate is about what was lost.
func (g *Gate) isUnder(l *result.Lost) (bool, error) {
	switch counted := l.Unit == result.UnitInstructions; {
	case l.Unit != "" && counted != g.ofInstructions(), l.Unit != "" && !counted && !g.concerns(l.Unit):
		return false, nil
	case g.ofInstructions():
		return g.mayMatch(l)
	}
	return g.matches(l.Pkg, l.Name, nil, l.Procs)
}

// mayMatch reports whether a gate on functions or parts may be about a benchmark whose functions are not known: it tries the words of
// the filter as their names.
func (g *Gate) mayMatch(l *result.Lost) (bool, error) {
	_, expr, _ := strings.Cut(g.text, "@")
	functions := []string{""}
	for _, word := range strings.FieldsFunc(expr, func(r rune) bool { return strings.ContainsRune(" \t():\"", r) }) {
		functions = append(functions, word, strings.Trim(word, "/"))
	}
	return g.matchesAny(functions, func(function string) (ok bool, err error) {
		for _, part := range append(record.Parts(), "") {
			ok, err = g.filter.MatchFunction(&record.Case{Pkg: l.Pkg, Name: l.Name, Procs: l.Procs}, function, part)
			if ok || err != nil {
				break
			}
		}
		return ok, err
	})
}

// counter counts rows by the outcome of their gates: passed, missed or not decided.
type counter struct{ rows map[countedRow]string }

type countedRow struct {
	pkg, name, role, side, unit string
	procs                       int
	lost                        bool
}

// add counts what a gate found about a row, "" if that passed.
func (c *counter) add(g result.Gated) {
	if c.rows == nil {
		c.rows = map[countedRow]string{}
	}
	at := countedRow{g.Pkg, g.Name, g.Role, g.Side, g.Unit, g.Procs, g.IsLost()}
	switch was := c.rows[at]; {
	case was == result.GateMissed, was == result.GateNotDecided && g.State != result.GateMissed:
	default:
		c.rows[at] = g.State
	}
}

func (c *counter) counts() *result.GateCounts {
	out := &result.GateCounts{}
	for _, state := range c.rows {
		switch state {
		case result.GateMissed:
			out.Missed++
		case result.GateNotDecided:
			out.NotDecided++
		default:
			out.Passed++
		}
	}
	return out
}

package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/attached"
	"github.com/tarebench/tare/record"
)

// ofInstructions reports whether the gate is about functions, or parts of the instructions.
func (g *Gate) ofInstructions() bool { return g.filter.ChoosesFunctions() || g.filter.ChoosesParts() }

// checkInstructions adds what such a gate finds. A filter with func: is about functions, each against itself; one with
// part: alone is about parts as a whole. Differences within the noise of such counts pass.
func (g *Gate) checkInstructions(res *result.Result, count *counter) error {
	if !slices.ContainsFunc(res.Results, func(r result.Benchmark) bool { return r.Instructions != nil }) {
		return exit.Usage(fmt.Errorf("--gate %s: no instructions were counted by function", g.text), "tare bench --prof instructions counts them, where there is valgrind")
	}
	for i := range res.Counted {
		c := &res.Counted[i]
		for _, p := range c.Parts {
			if g.filter.ChoosesFunctions() {
				break
			}
			if err := g.addChange(res, count, c, "", p.Part, p.InstructionChange); err != nil {
				return err
			}
		}
		for j := range c.Functions {
			if !g.filter.ChoosesFunctions() {
				break
			}
			f := &c.Functions[j]
			if err := g.addChange(res, count, c, f.Name, f.Part, f.InstructionChange); err != nil {
				return err
			}
		}
	}
	return nil
}

// addChange adds a row that misses the gate. Of a part the function is "".
func (g *Gate) addChange(res *result.Result, count *counter, c *result.CountedInstructions, function, part string, x attached.InstructionChange) error {
	ok, err := g.matchesFunction(c, function, part)
	if !ok || err != nil {
		return err
	}
	found := result.Gated{Gate: g.text, Pkg: c.Pkg, Name: c.Name, Procs: c.Procs, Side: c.Side, Unit: result.UnitInstructions}
	if !x.Beyond || float64(x.Delta) <= g.limit*float64(x.Old) {
		count.add(found)
		return nil
	}
	what := function
	if what == "" {
		what = "part " + part
	}
	text := fmt.Sprintf("%s: %s on %s executes %s instructions/op, on %s %s", res.NameOf(c.Pkg, c.Name, c.Procs), what, c.Side, units.Value("", float64(x.New), 5), c.Base, units.Value("", float64(x.Old), 5))
	if x.Old > 0 {
		text += fmt.Sprintf(": %s more", units.PercentTo(float64(x.Delta)/float64(x.Old), 2))
	}
	if len(c.Reasons) > 0 {
		text += "; not trusted: " + strings.Join(c.Reasons, ", ")
	}
	found.State, found.Text, found.Reasons = result.GateState(true, len(c.Reasons) == 0), text, c.Reasons
	count.add(found)
	res.Gates = append(res.Gates, found)
	return nil
}

// matchesFunction reports whether the gate is about a function of a benchmark; one that looks renamed has two names.
func (g *Gate) matchesFunction(c *result.CountedInstructions, function, part string) (bool, error) {
	return g.matchesAny(namesOf(c.Name, c.Renamed), func(name string) (bool, error) {
		return g.filter.MatchFunction(&record.Case{Pkg: c.Pkg, Name: name, Procs: c.Procs}, function, part)
	})
}

// Package gate judges comparisons by the objectives of --gate: no benchmark may be worse than
// its base by more than a limit. A gate on what is not trusted, or was lost, is not decided.
package gate

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/benchtext"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Gate is an objective of a comparison: no benchmark may be worse by more than
// limit.
type Gate struct {
	text    string
	verdict stat.Verdict // Slower or More
	limit   float64      // 0.05: more than 5 % worse
	proven  bool         // the whole interval has to be beyond the limit
	filter  *benchtext.Filter
}

// parse reads slower:5%, slower:5%:proven or more:0%, with @FILTER behind.
func parse(text string) (*Gate, error) {
	spec, expr, _ := strings.Cut(text, "@")
	parts := strings.Split(spec, ":")
	wrong := fmt.Errorf("--gate %q is none of slower:5%%, slower:5%%:proven and more:0%%, each with or without @FILTER", text)
	if len(parts) < 2 || len(parts) > 3 || (len(parts) == 3 && parts[2] != "proven") {
		return nil, wrong
	}
	g := &Gate{text: text, proven: len(parts) == 3}
	switch parts[0] {
	case "slower":
		g.verdict = stat.Slower
	case "more":
		g.verdict = stat.More
	default:
		return nil, wrong
	}
	var err error
	if g.limit, err = parseLimit(parts[1]); err != nil {
		return nil, wrong
	}
	if g.filter, err = benchtext.NewFilter(expr); err != nil {
		return nil, err
	}
	if g.ofInstructions() && g.verdict != stat.More {
		return nil, fmt.Errorf("--gate %q: func: and part: are about instructions, of which there can be more: more:0.5%%@%s", text, expr)
	}
	return g, nil
}

// parseLimit returns a percentage that may be 0, any change that is proven at all, and 100 or more: 150% is two and a half
// times.
func parseLimit(s string) (float64, error) {
	const most = 1e6
	if strings.TrimSuffix(s, "%") == "0" {
		return 0, nil
	}
	if x, err := units.ParseFraction(s); err == nil && strings.HasSuffix(s, "%") && x >= 1 && x < most {
		return x, nil
	}
	return units.ParseShare(s)
}

// Parse reads the values of --gate. It fails for the first that is none.
func Parse(texts []string) ([]*Gate, error) {
	var out []*Gate
	for _, t := range texts {
		g, err := parse(t)
		if err != nil {
			return nil, err
		}
		out = append(out, g)
	}
	return out, nil
}

// Report prints on w what [Check] found. It returns the error with which a command ends whose gates did not all pass: [exit.OfGates].
func Report(w io.Writer, gates []*Gate, res *result.Result) error {
	for _, g := range gates {
		if none, err := g.matchesNone(res); err != nil {
			return err
		} else if none {
			exit.Message(w, "gate", g.text+": checks nothing: no benchmark that was compared matches")
		}
	}
	for _, g := range res.Gates {
		how := ""
		switch g.State {
		case result.GateMissed:
			how = "missed: "
		case result.GateNotDecided:
			how = "not decided: "
		case result.GateUndecided:
			how = "passes undecided: "
		case result.GateLost:
			how = "passes: "
		}
		exit.Message(w, "gate", g.Gate+": "+how+g.Text)
	}
	return exit.OfGates(len(res.GatesIn(result.GateMissed)) > 0, len(res.GatesIn(result.GateNotDecided)) > 0)
}

// Check sets the Gates of a result, what was lost first: which rows miss a gate, of which none decides, and which pass undecided. Gates
// correct by Holm, because a false alarm of any row stops the work of everybody. lost is what becomes of a benchmark that was lost.
// Check fails for a filter that does not select benchmarks, and for one of functions where no instructions were counted.
func Check(gates []*Gate, res *result.Result, lost Lost) error {
	res.Gates, res.GateCounts = nil, nil
	c := &counter{}
	if err := checkLost(gates, res, lost, c); err != nil {
		return err
	}
	rows := slices.Clone(res.Comparisons)
	result.Correct(rows, stat.Holm)
	for _, g := range gates {
		if g.ofInstructions() {
			if err := g.checkInstructions(res, c); err != nil {
				return err
			}
			continue
		}
		for i := range rows {
			r := &rows[i]
			ok, err := g.matches(r.Pkg, r.Name, r.Renamed, r.Procs)
			if err != nil {
				return err
			}
			if !ok || !g.concerns(r.Unit) {
				continue
			}
			found := result.Gated{
				Gate: g.text, State: g.state(r), Pkg: r.Pkg, Name: r.Name, Procs: r.Procs, Role: r.Role, Side: r.Side, Unit: r.Unit, Text: rowText(res, r),
			}
			if state, text := g.countState(res, rows, i); state != "" {
				found.State, found.Text = state, text
			}
			if c.add(found); found.State == "" {
				continue
			}
			if found.State == result.GateNotDecided {
				found.Reasons = r.Reasons
			}
			res.Gates = append(res.Gates, found)
		}
	}
	if len(gates) > 0 || len(res.Gates) > 0 {
		res.GateCounts = c.counts()
	}
	return nil
}

// matches reports whether the gate is about a benchmark; one that looks renamed has two names.
func (g *Gate) matches(pkg, name string, renamed *result.Renamed, procs int) (bool, error) {
	return g.matchesAny(namesOf(name, renamed), func(name string) (bool, error) {
		return g.filter.Match(&record.Case{Pkg: pkg, Name: name, Procs: procs}, nil)
	})
}

// namesOf returns the names of a benchmark, two if it looks renamed.
func namesOf(name string, renamed *result.Renamed) []string {
	if renamed != nil {
		return []string{renamed.From, renamed.To}
	}
	return []string{name}
}

// matchesAny reports whether the gate's filter matches one of the names.
func (g *Gate) matchesAny(names []string, match func(name string) (bool, error)) (bool, error) {
	for _, name := range names {
		if ok, err := match(name); err != nil {
			return false, exit.Usage(fmt.Errorf("--gate %s: %w", g.text, err), "")
		} else if ok {
			return true, nil
		}
	}
	return false, nil
}

// concerns reports whether the gate is about a unit: slower is about times and rates, more about all others.
func (g *Gate) concerns(unit string) bool {
	return (g.verdict == stat.Slower) == (record.IsTime(unit) || record.IsRate(unit))
}

// matchesNone reports whether nothing is what the gate examines.
func (g *Gate) matchesNone(res *result.Result) (bool, error) {
	for _, r := range res.Comparisons {
		if ok, err := g.matches(r.Pkg, r.Name, r.Renamed, r.Procs); ok || err != nil {
			return false, err
		}
	}
	for _, l := range res.Lost {
		if ok, err := g.matches(l.Pkg, l.Name, nil, l.Procs); ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// state returns what the gate says about a row, "" if it passes with a verdict.
func (g *Gate) state(r *result.Comparison) string {
	if s := result.GateState(g.missedBy(r), r.Trusted); s != "" {
		return s
	}
	if r.Main && g.verdict == stat.Slower && r.Verdict == string(stat.Undecided) {
		return result.GateUndecided
	}
	return ""
}

func (g *Gate) missedBy(r *result.Comparison) bool {
	if r.Verdict != string(g.verdict) {
		return false
	}
	worse, least := r.Worse()
	if g.proven {
		worse = least
	}
	return worse > 1+g.limit
}

func rowText(res *result.Result, r *result.Comparison) string {
	text := fmt.Sprintf("%s %s: %s is %s, %s to %s", res.NameOf(r.Pkg, r.Name, r.Procs), r.Unit, r.Side, r.Verdict, ratioText(r), r.Base)
	if !r.Trusted {
		text += "; not trusted: " + strings.Join(r.Reasons, ", ")
	}
	return text
}

// ratioText returns the ratio of a row with its interval, as far as they are known.
func ratioText(r *result.Comparison) string {
	known := func(x result.Number) bool { return !math.IsNaN(float64(x)) }
	switch {
	case !known(r.Ratio):
		return "no ratio is known"
	case !known(r.Lo) || !known(r.Hi):
		return fmt.Sprintf("ratio %s, no interval is known,", units.Fixed(float64(r.Ratio), 3))
	}
	return fmt.Sprintf("ratio %s (%s … %s)", units.Fixed(float64(r.Ratio), 3), units.Fixed(float64(r.Lo), 3), units.Fixed(float64(r.Hi), 3))
}

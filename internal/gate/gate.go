// Package gate judges comparisons by the objectives of --gate: no benchmark may be worse than
// its base by more than a limit.
package gate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/benchtext"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/flags"
	"github.com/tarebench/tare/internal/result"
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
	wrong := fmt.Errorf("--gate %q is not of the form slower:5%%, slower:5%%:proven or more:0%%, with @FILTER for some benchmarks or functions", text)
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

// parseLimit returns a percentage that may be 0: any change that is proven at all.
func parseLimit(s string) (float64, error) {
	if strings.TrimSuffix(s, "%") == "0" {
		return 0, nil
	}
	return flags.ParseShare(s)
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

// Judge prints on w what [Check] found, and reports whether any row missed a gate.
func Judge(w io.Writer, gates []*Gate, res *result.Result) (bool, error) {
	if err := Check(gates, res); err != nil {
		return false, err
	}
	for _, g := range gates {
		if none, err := g.matchesNone(res); err != nil {
			return false, err
		} else if none {
			exit.Message(w, "gate", g.text+": checks nothing: no benchmark that was compared matches")
		}
	}
	missed := false
	for _, g := range res.Gates {
		how := ""
		switch g.State {
		case result.GateMissed:
			missed, how = true, "missed: "
		case result.GateFewForks:
			how = "passes with too few forks: "
		case result.GateUndecided:
			how = "passes undecided: "
		}
		exit.Message(w, "gate", g.Gate+": "+how+g.Text)
	}
	return missed, nil
}

// Check sets the Gates of a result: which rows miss a gate, and which pass undecided. Gates correct by Holm, because a
// false alarm of any row stops the work of everybody. It fails for a filter that does not select benchmarks, and for one of functions where no instructions were counted.
func Check(gates []*Gate, res *result.Result) error {
	res.Gates = nil
	rows := slices.Clone(res.Comparisons)
	result.Correct(rows, stat.Holm)
	for _, g := range gates {
		if g.ofInstructions() {
			if err := g.checkInstructions(res); err != nil {
				return err
			}
			continue
		}
		for _, r := range rows {
			ok, err := g.filter.Match(&record.Case{Pkg: r.Pkg, Name: r.Name, Procs: r.Procs}, nil)
			if err != nil {
				return exit.Usage(fmt.Errorf("--gate %s: %w", g.text, err), "")
			}
			state := g.state(r)
			if !ok || state == "" {
				continue
			}
			res.Gates = append(res.Gates, result.Gated{
				Gate: g.text, State: state, Pkg: r.Pkg, Name: r.Name, Procs: r.Procs, Role: r.Role, Side: r.Side, Unit: r.Unit, Text: rowText(r),
			})
		}
	}
	return nil
}

// matchesNone reports whether no row is one that the gate looks at.
func (g *Gate) matchesNone(res *result.Result) (bool, error) {
	for _, r := range res.Comparisons {
		if ok, err := g.filter.Match(&record.Case{Pkg: r.Pkg, Name: r.Name, Procs: r.Procs}, nil); ok || err != nil {
			return false, err
		}
	}
	return true, nil
}

// state returns what the gate says about a row, "" if it passes with a verdict.
func (g *Gate) state(r result.Comparison) string {
	switch {
	case g.missedBy(r) && slices.Contains(r.Reasons, result.CodeFewForks):
		return result.GateFewForks
	case g.missedBy(r):
		return result.GateMissed
	case r.Main && g.verdict == stat.Slower && r.Verdict == string(stat.Undecided):
		return result.GateUndecided
	}
	return ""
}

func (g *Gate) missedBy(r result.Comparison) bool {
	if r.Verdict != string(g.verdict) {
		return false
	}
	worse, least := r.Worse()
	if g.proven {
		worse = least
	}
	return worse > 1+g.limit
}

func rowText(r result.Comparison) string {
	text := fmt.Sprintf("%s %s: %s is %s, ratio %.3f (%.3f … %.3f) to %s", r.Name, r.Unit, r.Side, r.Verdict, r.Ratio, r.Lo, r.Hi, r.Base)
	if !r.Trusted {
		text += "; not trusted: " + strings.Join(r.Reasons, ", ")
	}
	return text
}

package citext

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// MaxAnnotations is how many annotations of a kind GitHub shows of a step. It drops others without a word, the last first.
const MaxAnnotations = 10

// Annotation is a line that a forge shows beside a line of a source file.
type Annotation struct {
	Level string // error or warning
	File  string // relative to the repository; "": nowhere
	Line  int
	Title string
	Text  string
	worse float64
}

// Locate finds the function of a benchmark: a file relative to the repository, and a line; "" if it is not found.
type Locate func(pkg, name string) (file string, line int)

// worst is a rank above that of every slower row.
var worst = math.Inf(1)

// Annotations returns what is to be said beside the sources, the worst first: gates that are missed as errors, and what was lost, gates
// that are not decided, and rows that are slower without missing one as warnings.
func Annotations(res *result.Result, locate Locate) []Annotation {
	out := lostAnnotations(res, locate)
	for i := range res.Comparisons {
		c := &res.Comparisons[i]
		worse, _ := c.Worse()
		a := Annotation{Level: "warning", worse: worse}
		missed := slices.IndexFunc(res.GatesOf(c), func(g result.Gated) bool { return g.State == result.GateMissed })
		shown := res.NameOf(c.Pkg, c.Name, c.Procs)
		a.Text = fmt.Sprintf("%s %s: %s", shown, c.Unit, changeOf(c))
		switch {
		case missed >= 0:
			a.Level, a.Text = "error", a.Text+"; gate "+res.GatesOf(c)[missed].Gate
		case slices.ContainsFunc(res.GatesOf(c), func(g result.Gated) bool { return g.State == result.GateNotDecided }):
			a.Title, a.Text = "not decided: "+shown, a.Text+"; not trusted: "+strings.Join(c.Reasons, ", ")
		case c.Verdict != string(stat.Slower) || !c.Trusted:
			continue
		}
		a.Title = cmp.Or(a.Title, c.Verdict+": "+shown)
		name := c.Name
		if c.Renamed != nil {
			name = c.Renamed.To
		}
		a.File, a.Line = locate(c.Pkg, name)
		out = append(out, a)
	}
	slices.SortStableFunc(out, func(a, b Annotation) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(b.worse, a.worse))
	})
	return out
}

// lostAnnotations returns what was lost as annotations: errors where that misses a gate, else warnings.
func lostAnnotations(res *result.Result, locate Locate) (out []Annotation) {
	for _, l := range res.NamedLost() {
		a := Annotation{Level: "warning", Title: "lost: " + l.Label(), Text: l.String(), worse: worst}
		if res.GateOfLost(&l) == result.GateMissed {
			a.Level = "error"
		}
		name := l.Name
		if l.RenamedTo != "" {
			name = l.RenamedTo
		}
		a.File, a.Line = locate(l.Pkg, name)
		out = append(out, a)
	}
	return out
}

// changeOf says how a row changed: in its values where there is no ratio.
func changeOf(c *result.Comparison) string {
	ratio, lo, hi := float64(c.Ratio), float64(c.Lo), float64(c.Hi)
	switch {
	case math.IsInf(ratio, 0) || math.IsNaN(ratio) || ratio == 0:
		return fmt.Sprintf("%g, base %g", float64(c.New), float64(c.Old))
	case c.Confidence == 1 || lo == hi:
		return units.Fixed(ratio, 3) + " times the base, exact"
	}
	confidence := cmp.Or(c.Confidence, 0.95)
	return fmt.Sprintf("%s times the base, %s interval %s to %s", units.Fixed(ratio, 3), units.Level(confidence), units.Fixed(lo, 3), units.Fixed(hi, 3))
}

// WriteCommands writes annotations as GitHub's workflow commands, at most as many as it shows. The last says how many are
// left out.
func WriteCommands(w io.Writer, list []Annotation) error {
	for i, a := range list[:min(len(list), MaxAnnotations)] {
		if rest := len(list) - MaxAnnotations; i == MaxAnnotations-1 && rest > 0 {
			a.Text += fmt.Sprintf("\n+%d more, see the summary", rest)
		}
		var where []string
		if a.File != "" {
			where = append(where, "file="+property(a.File), fmt.Sprintf("line=%d", a.Line))
		}
		where = append(where, "title="+property(a.Title))
		if _, err := fmt.Fprintf(w, "::%s %s::%s\n", a.Level, strings.Join(where, ","), data(a.Text)); err != nil {
			return err
		}
	}
	return nil
}

// data escapes a text as actions/toolkit does for what comes behind ::.
func data(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = termtext.Visible(l)
	}
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(strings.Join(lines, "\n"))
}

// property escapes the value of a property.
func property(s string) string { return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s)) }

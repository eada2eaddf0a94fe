package render

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// piece is a part of a line, and what stands between it and the one before.
type piece struct{ sep, text string }

// flow puts pieces side by side and breaks the line where the next does not fit.
// A comma stays at the end of the line.
func (g glyphs) flow(pieces []piece, n int) []string {
	var lines []string
	for _, p := range pieces {
		k := len(lines) - 1
		if k >= 0 && termtext.Width(lines[k])+termtext.Width(p.sep)+termtext.Width(p.text)+1 <= n {
			lines[k] += p.sep + p.text
			continue
		}
		if k >= 0 && strings.HasPrefix(p.sep, ",") {
			lines[k] += ","
		}
		lines = append(lines, termtext.Wrap(p.text, n)...)
	}
	return lines
}

// sides says what is compared, and how it is judged.
func (p *page) sides(s *result.Result) []piece {
	if s.Run == nil {
		return nil
	}
	var out []piece
	for _, x := range s.Run.Sides {
		out = append(out, piece{", ", p.side(s.Run, x)})
	}
	if len(p.versus) > 0 {
		out = append(out, p.method(s)...)
	}
	return out
}

// method says how the sides were measured and are judged.
func (p *page) method(s *result.Result) []piece {
	tested := func(c result.Comparison) bool { return c.Verdict != identical }
	if !slices.ContainsFunc(s.Comparisons, tested) {
		return nil
	}
	return []piece{{p.sep, p.measured(s)}, {p.sep, p.judged(s)}}
}

// side says what stands behind the name of a side: main = 1c9e2ab, or
// new = working tree (1c9e2ab, dirty).
func (g glyphs) side(run *record.Run, s record.Side) string {
	what, rev := "", shortRevision(s.Revision)
	switch {
	case s.Dir != "" && s.Dir != run.Dir:
		what = place(s.Dir, run.Dir)
	case s.Ref != "" && !strings.HasPrefix(s.Revision, s.Ref):
		what = s.Ref
	case s.Dir == "" && rev != "":
		what, rev = rev, ""
	case !archived(run):
		what = "working tree"
	}
	var about []string
	if rev != "" {
		about = append(about, rev)
	}
	if s.Dirty {
		about = append(about, "dirty")
	}
	if s.Toolchain != "" {
		about = append(about, s.Toolchain)
	}
	if s.Deep {
		about = append(about, "hooks in testing")
	}
	about = append(append(about, s.Flags...), s.Setenv...)
	text := s.Name
	if what != "" && what != s.Name {
		text += " = " + what
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, ", ") + ")"
	}
	return g.Text(text)
}

// shortRevision cuts a commit as git does; what is not one stays.
func shortRevision(rev string) string {
	const enough, hash = 7, 40
	if len(rev) >= hash && strings.Trim(rev, "0123456789abcdef") == "" {
		return rev[:enough]
	}
	return rev
}

// place is a directory as seen from where the command ran, if it is not far.
func place(dir, from string) string {
	rel, err := filepath.Rel(from, dir)
	if from == "" || err != nil || strings.HasPrefix(rel, "../..") {
		return dir
	}
	return rel
}

// archived tells that the sides come from runs of their own, of which the first
// lends its environment and its plan.
func archived(run *record.Run) bool { return len(run.Sides) > 1 && len(run.Command) == 0 }

// measured is "20 forks each, interleaved".
func (p *page) measured(s *result.Result) string {
	var ns []int
	for _, c := range s.Comparisons {
		if c.Verdict != identical {
			ns = append(ns, c.OldN, c.NewN)
		}
	}
	lo, hi := slices.Min(ns), slices.Max(ns)
	forks := plural(hi, "fork")
	if lo != hi {
		forks = strconv.Itoa(lo) + p.to + forks
	}
	parts := []string{forks + " each"}
	switch {
	case archived(s.Run):
		parts = append(parts, "from different runs")
	case s.Run.Config.Order != "":
		parts = append(parts, p.Text(s.Run.Config.Order))
	}
	return strings.Join(parts, ", ")
}

// judged is "95 % intervals, BH-corrected, threshold ± 3 %".
func (p *page) judged(s *result.Result) string {
	parts := []string{p.level + " intervals"}
	switch s.Run.Config.Correction {
	case result.Holm:
		parts = append(parts, "Holm-corrected")
	case result.NoCorrection:
		parts = append(parts, "not corrected")
	default:
		parts = append(parts, "BH-corrected")
	}
	return strings.Join(append(parts, "threshold "+p.pm+" "+level(threshold(s))), ", ")
}

// defaultThreshold is that of package stat, which reports do not import.
const defaultThreshold = 0.03

func threshold(s *result.Result) float64 {
	if s.Run != nil && s.Run.Config.Threshold > 0 {
		return s.Run.Config.Threshold
	}
	return defaultThreshold
}

// warned tells whether a warning about the run has that code.
func warned(s *result.Result, code string) bool {
	return slices.ContainsFunc(s.Warnings, func(w result.Warning) bool { return w.Code == code })
}

// warnings are those about the run that are not said elsewhere.
func (p *page) warnings(s *result.Result) []result.Warning {
	var out []result.Warning
	for _, w := range s.Warnings {
		if w.Code != result.CodeOneSide || len(p.versus) == 0 {
			out = append(out, w)
		}
	}
	return out
}

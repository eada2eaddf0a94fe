package render

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// sides returns the compared sides, and how they are judged: threshold and correction.
func (p *view) sides(s *result.Result) []string {
	if s.Run == nil {
		return nil
	}
	var names []string
	for _, x := range s.Run.Sides {
		names = append(names, side(s, x))
	}
	var out []string
	if len(names) > 0 {
		out = append(out, strings.Join(names, ", "))
	}
	tested := func(c result.Comparison) bool { return c.Verdict != identical }
	if len(p.versus) > 0 && slices.ContainsFunc(s.Comparisons, tested) {
		out = append(out, measured(s), p.judged(s))
	}
	return out
}

// side returns what stands behind the name of a side: main = 1c9e2ab, or
// new = working tree (1c9e2ab, dirty).
func side(from *result.Result, s record.Side) string {
	run := from.Run
	what, rev := "", shortRevision(s.Revision)
	switch {
	case run.Config.SideBy != "":
		return "/" + run.Config.SideBy + "=" + s.Name
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
	about = slices.Concat(about, s.Flags, s.Setenv, ofSideAlone(from, s))
	text := s.Name
	if what != "" && what != s.Name {
		text += " = " + what
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, ", ") + ")"
	}
	return text
}

// shortRevision cuts a commit as git does; what is not one stays.
func shortRevision(rev string) string {
	const enough, hash = 7, 40
	if len(rev) >= hash && strings.Trim(rev, "0123456789abcdef") == "" {
		return rev[:enough]
	}
	return rev
}

// place returns a directory as seen from where the command ran, if it is not far.
func place(dir, from string) string {
	rel, err := filepath.Rel(from, dir)
	if from == "" || err != nil || strings.HasPrefix(rel, "../..") {
		return dir
	}
	return rel
}

// archived reports whether the sides come from runs of their own, of which the first
// lends its environment and its plan.
func archived(run *record.Run) bool { return len(run.Sides) > 1 && len(run.Command) == 0 }

// measured returns a text such as "20 forks each, interleaved".
func measured(s *result.Result) string {
	var ns []int
	for _, c := range s.Comparisons {
		if c.Verdict != identical {
			ns = append(ns, c.OldN, c.NewN)
		}
	}
	lo, hi := slices.Min(ns), slices.Max(ns)
	forks := units.Plural(hi, "fork")
	if lo != hi {
		forks = strconv.Itoa(lo) + "–" + forks
	}
	parts := []string{forks + " each"}
	switch {
	case archived(s.Run):
		parts = append(parts, "from different runs")
	case s.Run.Config.Order != "":
		parts = append(parts, s.Run.Config.Order)
	}
	return strings.Join(parts, ", ")
}

// judged returns a text such as "95 % intervals, BH-corrected, threshold ± 3 %".
func (p *view) judged(s *result.Result) string {
	parts := []string{p.level + " intervals"}
	switch s.Run.Config.Correction {
	case result.Holm:
		parts = append(parts, "Holm-corrected")
	case result.NoCorrection:
		parts = append(parts, "not corrected")
	default:
		parts = append(parts, "BH-corrected")
	}
	if slices.ContainsFunc(s.Comparisons, func(c result.Comparison) bool { return c.RunDifference > 0 }) {
		parts[0] += " that hold what runs here differ by"
	}
	return strings.Join(append(parts, "threshold ± "+units.Level(threshold(s))), ", ")
}

// defaultThreshold is that of package stat, which reports do not import.
const defaultThreshold = 0.03

func threshold(s *result.Result) float64 {
	if s.Run != nil && s.Run.Config.Threshold > 0 {
		return s.Run.Config.Threshold
	}
	return defaultThreshold
}

// warned reports whether a warning about the run has that code.
func warned(s *result.Result, code string) bool {
	return slices.ContainsFunc(s.Warnings, func(w result.Warning) bool { return w.Code == code })
}

package export

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
)

// JUnit writes test results in the form that Jenkins' xunit-plugin (junit-10.xsd) and GitLab read. Each package is a
// suite. Of a comparison a row is a test: it fails if a gate says so, is an error where a gate is not decided, and is
// skipped where the verdict is undecided. What was lost comes first. Without a comparison a benchmark is a test,
// which is an error if it failed. Names are unique in a suite, because GitLab drops others.
func JUnit(w io.Writer, s *result.Result) error {
	suites := junitSuites(s)
	total := junitSuite{}
	for _, x := range suites {
		total.add(x)
	}
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	fmt.Fprintf(&b, "<testsuites name=\"tare\" tests=\"%d\" failures=\"%d\" errors=\"%d\">\n", len(total.cases), total.failures, total.errors)
	for _, x := range suites {
		fmt.Fprintf(&b, "<testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\">\n", termtext.XML(x.name), len(x.cases), x.failures, x.errors, x.skipped)
		for _, c := range x.cases {
			c.write(&b, x.name)
		}
		b.WriteString("</testsuite>\n")
	}
	b.WriteString("</testsuites>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// junitSuite is the tests of a package.
type junitSuite struct {
	name                      string
	cases                     []junitCase
	failures, errors, skipped int
	names                     uniqueNames
}

// add adds the tests of another suite.
func (s *junitSuite) add(x *junitSuite) {
	s.cases = append(s.cases, x.cases...)
	s.failures, s.errors, s.skipped = s.failures+x.failures, s.errors+x.errors, s.skipped+x.skipped
}

// junitCase is a test. outcome is failure, error or skipped; "" if it passed.
type junitCase struct{ name, outcome, kind, message, output string }

func (c *junitCase) write(b *strings.Builder, class string) {
	fmt.Fprintf(b, "<testcase classname=\"%s\" name=\"%s\"", termtext.XML(class), termtext.XML(c.name))
	switch {
	case c.outcome == "":
		b.WriteString("/>\n")
		return
	case c.outcome == "skipped":
		fmt.Fprintf(b, "><skipped message=\"%s\"/>", termtext.XML(c.message))
	default:
		fmt.Fprintf(b, "><%s type=\"%s\" message=\"%s\">%s</%[1]s>", c.outcome, termtext.XML(c.kind), termtext.XML(c.message), junitOutput(c.output))
	}
	b.WriteString("</testcase>\n")
}

// junitOutput returns the lines of an output, escaped.
func junitOutput(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = termtext.XML(strings.ReplaceAll(l, "\t", "    "))
	}
	return strings.Join(lines, "\n")
}

func (s *junitSuite) append(c junitCase) {
	if s.names == nil {
		s.names = uniqueNames{}
	}
	c.name = s.names.of("", cmp.Or(termtext.Visible(c.name), "(no name)"), " (%d)")
	switch c.outcome {
	case "failure":
		s.failures++
	case "error":
		s.errors++
	case "skipped":
		s.skipped++
	}
	s.cases = append(s.cases, c)
}

func junitSuites(s *result.Result) []*junitSuite {
	var out []*junitSuite
	suite := func(pkg string) *junitSuite {
		if pkg == "" {
			pkg = "tare"
		}
		if i := slices.IndexFunc(out, func(x *junitSuite) bool { return x.name == pkg }); i >= 0 {
			return out[i]
		}
		out = append(out, &junitSuite{name: pkg})
		return out[len(out)-1]
	}
	names, several := variants{}, len(s.Results) > 0 && s.Run != nil && len(s.Run.Sides) > 2
	for i := range s.Results {
		names.add(s.Results[i].Pkg, s.Results[i].Name, "procs", strconv.Itoa(s.Results[i].Procs))
	}
	lost := s.NamedLost()
	for i := range lost {
		l := &lost[i]
		x := junitLost(s, l)
		if x.name = names.short(l.Pkg, l.Name, l.Role, l.Procs); l.Unit != "" {
			x.name += " " + l.Unit
		}
		if several {
			x.name += ", " + l.Side
		}
		suite(l.Pkg).append(x)
	}
	for i := range s.Comparisons {
		c := &s.Comparisons[i]
		if x, ok := junitRow(s, c); ok {
			if x.name = names.short(c.Pkg, c.Name, c.Role, c.Procs) + " " + c.Unit; several {
				x.name += ", " + c.Side
			}
			suite(c.Pkg).append(x)
		}
	}
	for i := range s.Results {
		r := &s.Results[i]
		taken := slices.ContainsFunc(lost, func(l result.Lost) bool { return l.Takes(r) })
		if r.Failed == "" && len(s.Comparisons)+len(lost) > 0 || r.Failed != "" && taken {
			continue
		}
		x := junitCase{name: names.short(r.Pkg, r.Name, r.Role, r.Procs)}
		if r.Side != "" {
			x.name += ", " + r.Side
		}
		if r.Failed != "" {
			x.outcome, x.kind, x.message, x.output = "error", "failed", r.Failed, r.Tail
		}
		suite(r.Pkg).append(x)
	}
	return out
}

// junitLost returns the test of what was lost, without its name. Under no gate it is skipped, or an error if it failed.
func junitLost(s *result.Result, l *result.Lost) junitCase {
	x := junitCase{outcome: "skipped", kind: "lost", message: "lost: " + l.Text}
	failed := slices.IndexFunc(s.Results, func(r result.Benchmark) bool { return r.Failed != "" && l.Takes(&r) })
	if failed >= 0 {
		x.output = s.Results[failed].Tail
	}
	switch state := s.GateOfLost(l); {
	case state == result.GateMissed:
		x.outcome = "failure"
	case state == result.GateNotDecided, state == "" && failed >= 0:
		x.outcome = "error"
	}
	return x
}

// junitRow returns the test of a comparison. Of units beside the main one there are only those that a gate is about.
func junitRow(s *result.Result, c *result.Comparison) (junitCase, bool) {
	gated := s.GatesOf(c)
	message := fmt.Sprintf("%s: %s [%s, %s]", c.Verdict, short(c.Ratio), short(c.Lo), short(c.Hi))
	missed := slices.IndexFunc(gated, func(g result.Gated) bool { return g.State == result.GateMissed })
	switch {
	case missed >= 0:
		return junitCase{outcome: "failure", kind: c.Verdict, message: message + ", gate " + gated[missed].Gate}, true
	case slices.ContainsFunc(gated, func(g result.Gated) bool { return g.State == result.GateNotDecided }):
		return junitCase{outcome: "error", kind: "not-decided", message: message + "; not trusted: " + strings.Join(c.Reasons, ", ")}, true
	case !c.Main && len(gated) == 0:
		return junitCase{}, false
	case c.Verdict == string(stat.Undecided) || len(gated) > 0:
		return junitCase{outcome: "skipped", message: message}, true
	}
	return junitCase{}, true
}

// short returns a ratio with four digits.
func short(n result.Number) string { return fmt.Sprintf("%.4g", float64(n)) }

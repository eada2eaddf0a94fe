//go:build unix

package main

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tarebench/tare/dev/document"
)

// updatePage puts text between the marks "breadth" of a page. It fails if the page does not have both.
func updatePage(page, text string) error {
	return document.Update(page, func(old string) (string, error) { return document.Replace(old, "breadth", text) })
}

// sum is a row of the table of modules.
type sum struct {
	name                                                                    string
	packages, unbuilt, plain, both, missing, extra, own, tareOnly, measured int
	plainTime, tareTime                                                     float64
}

func (s *sum) add(r *result) {
	s.packages++
	if r.Plain.State == unbuilt {
		s.unbuilt++
	}
	if r.Measured == completed {
		s.measured += len(r.Tare.Names)
	}
	s.plain += len(r.Plain.Names)
	s.both += r.both()
	s.missing += len(r.Missing)
	s.extra += len(r.Extra)
	s.own += r.failBoth()
	s.tareOnly += len(r.Fails)
	s.plainTime += r.Plain.Seconds
	s.tareTime += r.Tare.Seconds
}

func (s *sum) cells() []string {
	out := []string{s.name}
	for _, n := range []int{s.packages, s.unbuilt, s.plain, s.both, s.missing, s.extra, s.measured, s.own, s.tareOnly} {
		out = append(out, fmt.Sprint(n))
	}
	for _, t := range []float64{s.plainTime, s.tareTime} {
		out = append(out, time.Duration(t*float64(time.Second)).Round(time.Second).String())
	}
	return out
}

var sumHead = []string{"module", "packages", "not built", "go test", "both", "missing", "extra", "each measured", "fail in both", "fail under tare", "go test took", "tare took"}

// tables returns a table of modules, and one of the packages that tare does not serve as go test does.
func tables(results []*result) string {
	total := &sum{name: "all"}
	var rows []*sum
	var others [][]string
	at := map[string]*sum{}
	for _, r := range results {
		s := at[r.Module]
		if s == nil {
			s = &sum{name: strings.TrimSpace(r.Module + " " + r.Version)}
			if r.Module == std {
				s.name = "standard library, " + r.Go
			}
			at[r.Module] = s
			rows = append(rows, s)
		}
		s.add(r)
		total.add(r)
		if what := r.differs(); what != "" {
			others = append(others, []string{r.Package, what, reason(r)})
		}
	}
	var cells [][]string
	for _, s := range append(rows, total) {
		cells = append(cells, s.cells())
	}
	text := markdown(sumHead, cells)
	if len(others) > 0 {
		text += "\n" + markdown([]string{"package", "what differs, or was not tried", "why"}, others)
	}
	return text
}

// differs says in what a package's two runs differ, or what neither could run; "" if in nothing.
func (r *result) differs() string {
	var out []string
	for _, x := range []struct {
		what  string
		names []string
	}{{"missing", r.Missing}, {"extra", r.Extra}, {"fail under tare", r.Fails}, {"fail under tare, and under go test if run alone", r.Alone}} {
		if n := len(x.names); n > 0 {
			out = append(out, fmt.Sprintf("%d %s (%s)", n, x.what, shortened(x.names[0])))
		}
	}
	if r.Tare.State == overLimit {
		out = append(out, "tare over the limit")
	}
	if r.Plain.State == overLimit {
		out = append(out, "go test over the limit")
	}
	if r.Tare.State == unbuilt && r.Plain.State != unbuilt {
		out = append(out, "not run by tare")
	}
	if r.Plain.State == unbuilt {
		out = append(out, "not built")
	}
	return strings.Join(out, "; ")
}

// reason says why, as people found, or else as the runs said.
func reason(r *result) string {
	if text := reasons[r.pkg().label()]; text != "" {
		return text
	}
	for _, names := range [][]string{r.Fails, r.Alone} {
		if len(names) > 0 {
			return shortened(r.Tare.Failed[names[0]])
		}
	}
	if r.Tare.Why != "" && r.Plain.State != unbuilt {
		return shortened(r.Tare.Why)
	}
	return shortened(r.Plain.Why)
}

func shortened(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > 100 {
		s = string([]rune(s)[:99]) + "…"
	}
	return s
}

// markdown returns a table with columns as wide as their cells.
func markdown(head []string, rows [][]string) string {
	table := append([][]string{head, make([]string, len(head))}, rows...)
	width := make([]int, len(head))
	for _, cells := range table {
		for i, c := range cells {
			cells[i] = strings.ReplaceAll(c, "|", `\|`)
			width[i] = max(width[i], utf8.RuneCountInString(cells[i]))
		}
	}
	var out strings.Builder
	for n, cells := range table {
		for i, c := range cells {
			fill := " "
			if n == 1 {
				fill = "-"
			}
			fmt.Fprintf(&out, "| %s%s ", c, strings.Repeat(fill, width[i]-utf8.RuneCountInString(c)))
		}
		out.WriteString("|\n")
	}
	return out.String()
}

package main

import (
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/measure/session/runlog"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// change is the change that should be found.
const change = 1.05

// counts is how often each thing was said of one benchmark.
type counts struct {
	runs                int
	different, trusted  int            // of the same code; trusted is of different
	found, foundTrusted int            // of the change
	spread              []float64      // robust relative sd of the forks, of each run
	blamed              map[string]int // warnings that blame the benchmark, by code
}

// blaming are the codes of warnings that name the benchmark as the cause.
var blaming = []string{"timer-stopped", "iteration-short", "setup", "trend"}

// table has the counts of each benchmark.
type table struct {
	runs int
	of   map[string]*counts
	lost []float64 // of every fork

	entries []runlog.Entry // of every run
}

// judgeAll judges the records of a directory by a test of [record.Config].
func judgeAll(dir, test string) (*table, error) {
	files, err := filepath.Glob(filepath.Join(dir, "run-*.jsonl"))
	if err != nil {
		return nil, err
	}
	t := &table{of: map[string]*counts{}}
	for _, file := range files {
		lines, err := readLines(file)
		if err != nil {
			return nil, err
		}
		t.add(withTest(test, lines))
	}
	return t, nil
}

func readLines(file string) ([]record.Line, error) {
	var lines []record.Line
	for l, err := range record.ReadFile(file) {
		if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// add judges the lines of a run as they are, and with the change.
func (t *table) add(lines []record.Line) {
	t.runs++
	t.addLost(lines)
	b := builder(lines)
	r := b.Result()
	t.entries = append(t.entries, entry(b, r))
	for _, c := range rows(r) {
		x := t.counts(c)
		x.runs++
		if differs(c) {
			x.different++
			if c.Trusted {
				x.trusted++
			}
		}
	}
	for _, b := range r.Results {
		if x := t.of[b.Pkg+" "+b.Name]; x != nil && b.Side == "a" {
			x.spread = append(x.spread, b.SpreadBetween)
			for _, w := range b.Warnings {
				if slices.Contains(blaming, w.Code) {
					x.blamed[w.Code]++
				}
			}
		}
	}
	for _, c := range rows(builder(changed(lines)).Result()) {
		if c.Verdict == "slower" {
			x := t.counts(c)
			x.found++
			if c.Trusted {
				x.foundTrusted++
			}
		}
	}
}

// addLost keeps what the forks lost to others.
func (t *table) addLost(lines []record.Line) {
	for _, l := range lines {
		if f, ok := l.(*record.Fork); ok && f.Lost != nil && f.Purpose == record.PurposeTiming {
			t.lost = append(t.lost, *f.Lost)
		}
	}
}

func (t *table) counts(c result.Comparison) *counts {
	name := c.Pkg + " " + c.Name
	if t.of[name] == nil {
		t.of[name] = &counts{blamed: map[string]int{}}
	}
	return t.of[name]
}

// withTest returns a copy of the lines of a run with another test in its configuration.
func withTest(test string, lines []record.Line) []record.Line {
	out := slices.Clone(lines)
	for i, l := range out {
		if run, ok := l.(*record.Run); ok {
			r := *run
			r.Config.Test = test
			out[i] = &r
		}
	}
	return out
}

func builder(lines []record.Line) *result.Builder {
	b := result.NewBuilder()
	for _, l := range lines {
		b.Add(l)
	}
	return b
}

// rows returns the comparisons of times.
func rows(r *result.Result) []result.Comparison {
	return slices.DeleteFunc(slices.Clone(r.Comparisons), func(c result.Comparison) bool { return !c.Main })
}

func differs(c result.Comparison) bool { return c.Verdict == "faster" || c.Verdict == "slower" }

// changed returns the lines of a run whose second side took longer by the change.
func changed(lines []record.Line) []record.Line {
	second := map[int]bool{} // cases, then forks
	forks := map[int]bool{}
	for _, l := range lines {
		switch l := l.(type) {
		case *record.Case:
			second[l.ID] = l.Side == "b"
		case *record.Fork:
			forks[l.ID] = second[l.Case]
		}
	}
	out := slices.Clone(lines)
	for i, l := range out {
		if s, ok := l.(*record.Sample); ok && forks[s.Fork] {
			out[i] = longer(*s)
		}
	}
	return out
}

// longer returns an iteration that took longer by the change.
func longer(s record.Sample) *record.Sample {
	for _, ns := range []*int64{&s.Ns, &s.Wall, &s.CPU} {
		*ns = int64(math.Round(float64(*ns) * change))
	}
	s.V = slices.Clone(s.V)
	for i := range s.V {
		if s.V[i].Unit == "ns/op" {
			s.V[i].Value *= change
		}
	}
	return &s
}

// print prints the table in Markdown.
func (t *table) print(w io.Writer) {
	fmt.Fprintln(w, "| benchmark | robust CV | runs | different | and trusted | +5 % found | and trusted | blamed |")
	fmt.Fprintln(w, "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |")
	all := counts{blamed: map[string]int{}}
	for _, name := range slices.Sorted(maps.Keys(t.of)) {
		x := t.of[name]
		x.print(w, name)
		all.runs, all.different, all.trusted = all.runs+x.runs, all.different+x.different, all.trusted+x.trusted
		all.found, all.foundTrusted = all.found+x.found, all.foundTrusted+x.foundTrusted
		all.spread = append(all.spread, x.spread...)
		for code, n := range x.blamed {
			all.blamed[code] += n
		}
	}
	all.print(w, "all")
	if len(t.lost) > 0 {
		slices.Sort(t.lost)
		fmt.Fprintf(w, "\n%d forks lost %.1f %% of their time to others in the median, 9 of 10 less than %.1f %%.\n",
			len(t.lost), 100*stat.Median(t.lost), 100*stat.Quantile(t.lost, 0.9))
	}
	t.printCoverage(w)
}

func (x *counts) print(w io.Writer, name string) {
	var blamed []string
	for _, code := range slices.Sorted(maps.Keys(x.blamed)) {
		blamed = append(blamed, fmt.Sprintf("%d %s", x.blamed[code], code))
	}
	if len(x.spread) > 0 {
		fmt.Fprintf(w, "| %s | %.1f %% | %d | %d | %d | %d | %d | %s |\n", name, 100*stat.Median(x.spread), x.runs, x.different, x.trusted, x.found, x.foundTrusted, strings.Join(blamed, ", "))
	}
}

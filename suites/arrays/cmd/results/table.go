package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/stat"
	"github.com/tarebench/tare/suites/arrays"
	"github.com/tarebench/tare/suites/published"
)

func (r *suiteResult) markdown(w io.Writer) {
	fmt.Fprint(w, "# Results\n\nNanoseconds per operation on a slice: medians over forks. Written by `go run ./cmd/results`.\n\n")
	r.where(w)
	for _, size := range arrays.Sizes() {
		r.table(w, size)
	}
	for _, op := range arrays.Ops() {
		fmt.Fprintf(w, "![%s](arrays-%[1]s.svg)\n\n", op)
	}
	r.writeWarnings(w)
}

// where says on what machine, of what revision, and how quiet it was.
func (r *suiteResult) where(w io.Writer) {
	first := r.runs[0]
	e := first.Run.Env
	fmt.Fprintf(w, "* Machine: %s/%s, %s, %d cores, %.1f GB, kernel %s", e.OS, e.Arch, e.CPU, e.Cores, float64(e.Memory)/1e9, e.Kernel)
	if e.Virtual != "" {
		fmt.Fprintf(w, ", virtual (%s)", e.Virtual)
	}
	fmt.Fprintf(w, "; %s, GOMAXPROCS %d\n", e.Go, e.GOMAXPROCS)
	fmt.Fprintf(w, "* Revision: %s. Began: %s\n", r.commit, first.Run.Start.UTC().Format("2006-01-02 15:04 UTC"))
	var machine published.Conditions
	for _, s := range r.runs {
		c := s.Run.Config
		length := c.Time.String()
		if c.Benchtime != "" {
			length = strings.TrimSuffix(c.Benchtime, "x") + " operations"
		}
		fmt.Fprintf(w, "* `--bench '%s'`: %d forks of each benchmark, interleaved; %d + %d windows of %s each; intervals of %g %% over forks\n",
			c.Bench, c.Forks, c.Warmup, c.Iterations, length, 100*s.Confidence)
		machine.Add(&s.Tare)
	}
	quiet := "The machine was quiet."
	if !machine.Quiet(e.Cores) {
		quiet = "**The machine was not quiet**: other work took its time and its caches."
	}
	fmt.Fprintf(w, "* %v. %s\n\n", machine, quiet)
}

// table writes a table of fills and one of copies.
func (r *suiteResult) table(w io.Writer, size int) {
	fmt.Fprintf(w, "## %s\n\n", sizeName(size))
	ops := arrays.Ops()
	copies := slices.Index(ops, "copy")
	r.ops(w, size, ops[:copies])
	r.ops(w, size, ops[copies:])
}

// ops writes a table of some operations by type.
func (r *suiteResult) ops(w io.Writer, size int, ops []string) {
	fmt.Fprintf(w, "| type | %s |\n|---|%s\n", strings.Join(ops, " | "), strings.Repeat("---:|", len(ops)))
	for _, typ := range arrays.Types() {
		fmt.Fprintf(w, "| %s |", typ)
		for _, op := range ops {
			fmt.Fprintf(w, " %s |", cell(r.found[key{strconv.Itoa(size), op, typ}]))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w)
}

// cell is a median with its interval.
func cell(x *result.Benchmark) string {
	switch {
	case x == nil:
		return "–"
	case x.Failed != "":
		return "failed"
	case !(x.Median > 0):
		return "–"
	}
	return published.Digits(3).Full(stat.Interval{Median: float64(x.Median), Lo: float64(x.Lo), Hi: float64(x.Hi)}, 1)
}

func sizeName(size int) string {
	if size >= 1<<20 {
		return fmt.Sprintf("%d MB", size>>20)
	}
	return fmt.Sprintf("%d KB", size>>10)
}

// writeWarnings counts the warnings of the records by their kind.
func (r *suiteResult) writeWarnings(w io.Writer) {
	counts, text, codes := map[string]int{}, map[string]string{}, []string{}
	add := func(warnings []result.Warning) {
		for _, x := range warnings {
			if counts[x.Code] == 0 {
				codes = append(codes, x.Code)
				text[x.Code] = x.Text
			}
			counts[x.Code]++
		}
	}
	for _, s := range r.runs {
		add(s.Warnings)
		for i := range s.Results {
			add(s.Results[i].Warnings)
		}
	}
	if len(codes) == 0 {
		return
	}
	fmt.Fprint(w, "## Doubts\n\n| warning | times | for instance |\n|---|---:|---|\n")
	for _, code := range codes {
		fmt.Fprintf(w, "| %s | %d | %s |\n", code, counts[code], strings.ReplaceAll(text[code], "|", `\|`))
	}
}

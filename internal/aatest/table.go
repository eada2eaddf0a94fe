package aatest

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// nameWidth is the most that a benchmark's name takes in the table.
const nameWidth = 32

// benchmarks prints a row for each benchmark.
func (t *text) benchmarks(r *Result) {
	width := 0
	for _, b := range r.Benchmarks {
		width = max(width, utf8.RuneCountInString(shorten(printable(b.Name), nameWidth)))
	}
	if width == 0 {
		return
	}
	t.line("")
	t.line("%-*s  %20s  %8s  %21s  %4s", width+4, "", "called different", "smallest", "spread of a process", "")
	t.line("%-*s  %9s  %9s  %8s  %10s  %9s  %4s", width+4, "", "this way", "usual way", "change", "within", "between", "ICC")
	pkg := ""
	for _, b := range r.Benchmarks {
		if b.Pkg != pkg {
			pkg = b.Pkg
			t.line("  %s", printable(pkg))
		}
		t.line("    %-*s  %9s  %9s  %8s  %10s  %9s  %4s", width, shorten(printable(b.Name), nameWidth),
			of(b.This), of(b.Usual), share(b.Smallest.Value), share(b.Spread.Within), share(b.Spread.Between), decimal(b.Spread.ICC))
	}
	t.line("")
}

func of(w Way) string {
	if w.Windows == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d", w.Different, w.Windows)
}

// shorten cuts the middle out: names differ at their ends.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-n/2-1):])
}

// advice says what to add, whether pairs would pay, and what each way cost.
func (t *text) advice(r *Result) {
	forks, iterations := r.advised()
	switch {
	case len(forks) > 0 && len(iterations) == 0:
		t.wrapped("", "add forks, not iterations: processes differ, and more iterations do not make up for it")
	case len(iterations) > 0 && len(forks) == 0:
		t.wrapped("", "add iterations, "+upTo(iterations)+": processes differ little")
	case len(forks) > 0:
		t.wrapped("", "add forks for "+names(forks)+"; iterations, "+upTo(iterations)+", for "+names(iterations))
	}
	t.pairs(r.Pairs)
	if r.This.Took > 0 {
		t.wrapped("", fmt.Sprintf("forks took %s with their start and warm-up, the usual way %s for the same measured time", took(r.This.Took), took(r.Usual.Took)))
	}
}

// pairs says how much alike neighbours are.
func (t *text) pairs(p Pairs) {
	if len(p.Correlation) == 0 {
		return
	}
	pay := "would not pay"
	if p.Pay {
		pay = "would pay"
	}
	s := fmt.Sprintf("pairs %s: forks of a round correlate by %s (%s … %s)", pay, decimal(p.Correlation[0]), decimal(p.Lo), decimal(p.Hi))
	if len(p.Correlation) > 1 {
		s += ", in the rounds after by"
		for _, x := range p.Correlation[1:] {
			s += " " + decimal(x)
		}
	}
	t.wrapped("", s)
}

// advised are the benchmarks by what should be added.
func (r *Result) advised() (forks, iterations []Benchmark) {
	for _, b := range r.Benchmarks {
		switch b.Spread.Advice {
		case AddForks:
			forks = append(forks, b)
		case AddIterations:
			iterations = append(iterations, b)
		}
	}
	return forks, iterations
}

func names(bs []Benchmark) string {
	var out []string
	for _, b := range bs {
		out = append(out, printable(b.Name))
	}
	return strings.Join(out, ", ")
}

// upTo is the largest number of iterations that pays.
func upTo(bs []Benchmark) string {
	most := 0.0
	for _, b := range bs {
		most = math.Max(most, float64(b.Spread.Optimal))
	}
	if math.IsInf(most, 1) {
		return "as many as you like"
	}
	return fmt.Sprintf("up to %.0f a fork of this length", most)
}

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tarebench/tare/suites/published"
)

func (r *result) markdown(w io.Writer) {
	if r.budget != "" {
		r.equalMarkdown(w)
		return
	}
	if r.sided() {
		r.sidesMarkdown(w)
		return
	}
	fmt.Fprintf(w, "# Results: %s\n\n", r.name)
	fmt.Fprintf(w, "%s entries asked for, %s keys, %d workers. Written by `go run ./cmd/results` from [%s.jsonl](%[4]s.jsonl).\n\n",
		published.Count(float64(r.config.Entries)), published.Count(float64(r.config.Keys)), r.config.Workers, r.name)
	r.where(w)
	r.score(w)
	for _, m := range r.metrics() {
		fmt.Fprintf(w, "![%s](%s-%s.svg)\n\n", m.title, r.name, m.name)
	}
	r.order(w)
	r.memory(w)
	r.heaps(w)
	r.notes(w)
	r.writeWarnings(w)
}

// where says on what machine, of what revision, and how quiet it was.
func (r *result) where(w io.Writer) {
	e := r.run.Env
	c := r.run.Config
	fmt.Fprintf(w, "* Machine: %s/%s, %s, %d cores, %.1f GB, kernel %s", e.OS, e.Arch, e.CPU, e.Cores, float64(e.Memory)/1e9, e.Kernel)
	if e.Virtual != "" {
		fmt.Fprintf(w, ", virtual (%s)", e.Virtual)
	}
	fmt.Fprintf(w, "; %s, GOMAXPROCS %d", e.Go, e.GOMAXPROCS)
	if c.MemoryLimit != "" {
		fmt.Fprintf(w, ", memory limit %s for all", c.MemoryLimit)
	}
	fmt.Fprintf(w, "\n* Revision: %s. Began: %s\n", r.commit, r.run.Start.UTC().Format("2006-01-02 15:04 UTC"))
	forMemory := ""
	if len(c.Prof) > 0 {
		forMemory = fmt.Sprintf(" and %d for memory", c.ProfForks)
	}
	fmt.Fprintf(w, "* Forks: %d timed%s of each cache, interleaved; %d + %d windows of %v each; intervals of %s over forks\n",
		c.Forks, forMemory, c.Warmup, c.Iterations, c.Time, published.Percent(confidence))
	quiet := "The machine was quiet."
	if !r.machine.Quiet(e.Cores) {
		quiet = "**The machine was not quiet**: other work took its time, so throughput is lower and its intervals are wider than they would be."
	}
	fmt.Fprintf(w, "* %v. %s\n\n", r.machine, quiet)
}

// score is the table of what the suite is about.
func (r *result) score(w io.Writer) {
	fmt.Fprintln(w, "| cache | Mop/s | hit % | entries held | heap B/entry | VmHWM MB | B/op | allocs/op | concurrent misses |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|")
	for _, x := range r.rows {
		f := x.figure
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", mark(x), digits.Full(f("op/s"), 1e6), digits.Full(f("hit-%"), 1),
			published.Count(f("entries").Median), digits.Full(f(perEntryUnit), 1), digits.Full(f("VmHWM-B"), 1e6),
			digits.Plain(f("B/op"), 1), digits.Plain(f("allocs/op"), 1), x.kind.Flight)
	}
	fmt.Fprintln(w, "\nIn the order of names, which ranks nothing. Concurrent misses: *single*, one loads and the others wait; *double*, the library loads"+
		" for each; *none*, the library does not load, so the adapter gets, loads and sets, and each loads for itself."+
		" MB are 10⁶ bytes. * is no cache.")
	fmt.Fprintln(w)
}

func mark(x *row) string {
	if isCache(x) {
		return x.kind.Name
	}
	return x.kind.Name + " *"
}

// order says what may be said of one cache against another.
func (r *result) order(w io.Writer) {
	fmt.Fprintf(w, "## What the intervals tell apart\n\nCaches whose %s intervals overlap are not ranked.\n\n", published.Percent(confidence))
	for _, m := range r.metrics() {
		fmt.Fprintf(w, "%s:\n\n", m.title)
		lines := r.separated(m)
		if len(lines) == 0 {
			lines = []string{"all intervals overlap"}
		}
		for _, l := range lines {
			fmt.Fprintf(w, "* %s\n", l)
		}
		fmt.Fprintln(w)
	}
}

// memoryUnits are the further figures of --prof mem, as that names them.
var memoryUnits = []struct{ unit, title string }{
	{heapUnit, "cache on the heap"},
	{"usedMem_fin-B", "usedMem_fin"},
	{"usedMem_settled-B", "usedMem_settled"},
	{"usedMem_max-B", "usedMem_max"},
	{"totalMem_settled-B", "totalMem_settled"},
	{"totalMem_max-B", "totalMem_max"},
	{"VmHWM-B", "VmHWM"},
	{"VmRSS-B", "VmRSS, free memory returned"},
	{"PSS-B", "PSS"},
	{"usedHeap_baseline-B", "heap before"},
}

func (r *result) memory(w io.Writer) {
	fmt.Fprint(w, "## Memory, MB\n\n| cache |")
	for _, u := range memoryUnits {
		fmt.Fprintf(w, " %s |", u.title)
	}
	fmt.Fprintln(w, "\n|---"+strings.Repeat("|---", len(memoryUnits))+"|")
	for _, x := range r.rows {
		fmt.Fprintf(w, "| %s |", mark(x))
		for _, u := range memoryUnits {
			fmt.Fprintf(w, " %s |", digits.Full(x.figure(u.unit), 1e6))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "\nCache on the heap: usedHeap_returned less usedHeap_baseline, read after each window, with the cache still held, its buffered writes"+
		" made and nothing else running. The maxima are those seen at the end of a collection; – where none ended in the windows.")
	fmt.Fprintln(w)
}

func (r *result) notes(w io.Writer) {
	fmt.Fprint(w, "## How each is set up\n\n")
	for _, x := range r.rows {
		fmt.Fprintf(w, "* %s: %s\n", x.kind.Name, x.kind.Note)
	}
	lo, hi := r.missCost()
	fmt.Fprintf(w, "\nA miss cost %s to %s ns (median of each cache's forks).\n", published.Count(lo), published.Count(hi))
}

// missCost is the range of what a miss cost, over caches.
func (r *result) missCost() (lo, hi float64) {
	for i, x := range r.rows {
		m := x.figure("miss-ns").Median
		if i == 0 {
			lo, hi = m, m
		}
		lo, hi = min(lo, m), max(hi, m)
	}
	return lo, hi
}

// writeWarnings writes the warnings of the record.
func (r *result) writeWarnings(w io.Writer) {
	var lines []string
	for _, x := range r.rows {
		if x.failed > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d forks failed", x.kind.Name, x.failed))
		}
	}
	for _, d := range r.warnings {
		about := strings.Join(d.about, ", ")
		if len(d.about) == len(r.rows) {
			about = "all"
		}
		if about != "" {
			about = " (" + about + ")"
		}
		lines = append(lines, fmt.Sprintf("`%s`%s, for example: %s", d.code, about, d.text))
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprint(w, "\n## Doubts\n\n")
	for _, l := range lines {
		fmt.Fprintf(w, "* %s\n", l)
	}
}

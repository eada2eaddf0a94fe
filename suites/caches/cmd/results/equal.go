package main

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/suites/caches"
	"github.com/tarebench/tare/suites/published"
)

// equalMarkdown writes the results of the comparison at equal memory.
func (r *result) equalMarkdown(w io.Writer) {
	fmt.Fprintf(w, "# Results: %s of memory for each cache\n\n", r.budget)
	fmt.Fprintf(w, "Each cache has the most entries with which its process stays within %s of resident memory at its peak; %s keys, %d workers."+
		" Written by `go run ./cmd/results` from [%s.jsonl](%[4]s.jsonl).\n\n",
		r.budget, published.Count(float64(r.config.Keys)), r.config.Workers, r.name)
	r.where(w)
	fmt.Fprintln(w, "| cache | entries asked for | entries held | peak RSS MB | hit % | Mop/s | B/op |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, x := range r.rows {
		f := x.figure
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", x.kind.Name, published.Count(f("capacity").Median), published.Count(f("entries").Median),
			digits.Full(f(caches.PeakUnit), 1e6), digits.Full(f("hit-%"), 1), digits.Full(f("op/s"), 1e6), digits.Plain(f("B/op"), 1))
	}
	fmt.Fprint(w, "\nIn the order of names, which ranks nothing. The peak is that of the whole process, with the runtime, the harness and garbage;"+
		" MB are 10⁶ bytes.\n\n")
	for _, m := range r.metrics() {
		fmt.Fprintf(w, "![%s](%s-%s.svg)\n\n", m.title, r.name, m.name)
	}
	r.order(w)
	r.notes(w)
	r.writeWarnings(w)
}

package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/suites/published"
)

// mostTypes is how many types of a heap are listed.
const mostTypes = 4

// takeHeap keeps what the heap of a fork held at its last window.
func (r *reading) takeHeap(a *record.Attach) error {
	if a.Name != record.AttachHeap {
		return nil
	}
	h := new(record.Heap)
	if err := json.Unmarshal(a.Data, h); err != nil {
		return fmt.Errorf("what the heap of fork %d held: %w", a.Fork, err)
	}
	r.heaps[a.Fork] = h
	return nil
}

// addHeaps takes what the heaps hold from another record of the same size. That record
// is one of its own because the heap profile slows a cache down several times.
func (r *result) addHeaps(other *result) error {
	if other.name != r.name {
		return fmt.Errorf("it is of the size %s, and the results are of %s", other.name, r.name)
	}
	found := false
	for _, x := range r.rows {
		for _, y := range other.rows {
			if x.kind.Name == y.kind.Name && x.side == y.side && y.heap != nil {
				x.heap, found = y.heap, true
			}
		}
	}
	if !found {
		return fmt.Errorf("no heap in it; measure with --prof mem")
	}
	return nil
}

// heaps writes what occupies the heap of each cache, by type.
func (r *result) heaps(w io.Writer) {
	if !slices.ContainsFunc(r.rows, func(x *row) bool { return x.heap != nil }) {
		return
	}
	fmt.Fprint(w, "## What the heap holds\n\nOf one fork of each, by the type of the objects; the heap profile samples one byte in 512.\n\n")
	fmt.Fprintln(w, "| cache | heap MB | objects | types with the most bytes |")
	fmt.Fprintln(w, "|---|---|---|---|")
	for _, x := range r.rows {
		if h := x.heap; h != nil {
			fmt.Fprintf(w, "| %s | %.1f | %s | %s |\n", mark(x), float64(h.Growth)/1e6, published.Count(float64(h.Objects)), strings.Join(types(h), "; "))
		}
	}
	fmt.Fprintln(w)
}

// types returns the types that occupy most of a heap, each with its share.
func types(h *record.Heap) []string {
	bytes := map[string]int64{}
	for _, s := range h.Sites {
		bytes[cmp.Or(s.Type, "unknown")] += s.Bytes
	}
	var names []string
	for name := range bytes {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(bytes[b], bytes[a]), strings.Compare(a, b)) })
	var out []string
	for _, name := range names[:min(len(names), mostTypes)] {
		out = append(out, fmt.Sprintf("`%s` %.0f %%", name, 100*float64(bytes[name])/float64(max(h.Bytes, 1))))
	}
	return out
}

package listing

import (
	"cmp"
	"slices"
)

// region is a stretch of one function.
type region struct {
	fn          *function
	from, to    int // instructions that are shown: [from, to)
	first, last int // the outermost that were found
	samples     []int64
	most        int64  // samples of the first event at one instruction
	lines       [2]int // lowest and highest line of the function's own file with samples; 0: not known
}

// regions returns the regions of a function: instructions with samples in order of address. A new region begins if the next
// sample is more than merge instructions further. A function without code is one region.
func (f *function) regions(merge, margin int) []*region {
	if !f.coded {
		merge, margin = len(f.insts), 0
	}
	var out []*region
	for i := range f.insts {
		if !f.sampled(i) {
			continue
		}
		if n := len(out); n > 0 && i-out[n-1].last <= merge {
			out[n-1].last = i
			continue
		}
		out = append(out, &region{fn: f, first: i, last: i})
	}
	for i, r := range out {
		r.from, r.to = 0, len(f.insts)
		if i > 0 { // two margins share what lies between
			r.from = out[i-1].to
		}
		if i+1 < len(out) {
			r.to = r.last + 1 + (out[i+1].first-r.last)/2
		}
		r.from, r.to = max(r.from, r.first-margin), min(r.to, r.last+1+margin)
		r.sum()
	}
	return out
}

// whole returns the function as one region.
func (f *function) whole() *region {
	r := &region{fn: f, to: len(f.insts)}
	r.first, r.last = 0, len(f.insts)-1
	for r.first < r.last && !f.sampled(r.first) {
		r.first++
	}
	for r.last > r.first && !f.sampled(r.last) {
		r.last--
	}
	r.sum()
	return r
}

// sum adds up the samples and finds the lines.
func (r *region) sum() {
	r.samples = make([]int64, r.fn.events)
	for i := r.from; i < r.to; i++ {
		for e, n := range r.fn.n(i) {
			r.samples[e] += n
		}
		r.most = max(r.most, r.fn.n(i)[0])
		if !r.fn.sampled(i) {
			continue
		}
		if line := r.fn.ownLine(i); line > 0 {
			if r.lines[0] == 0 {
				r.lines = [2]int{line, line}
			}
			r.lines = [2]int{min(r.lines[0], line), max(r.lines[1], line)}
		}
	}
	if r.lines[0] == 0 {
		r.lines = [2]int{r.fn.rec.Line, r.fn.rec.Line}
	}
}

// ownLine returns the line of the function itself that an instruction belongs to: where the
// outermost inlined function is called, if it is of one. 0: not known, or of another file.
func (f *function) ownLine(i int) int {
	frame := f.frames(i)[0]
	if frame.file != f.rec.File {
		return 0
	}
	return frame.line
}

// sortRegions puts the hottest first, and equally hot ones in the order of functions
// and addresses.
func (l *Listing) sortRegions() {
	slices.SortStableFunc(l.regions, func(a, b *region) int { return more(a.samples, b.samples) })
}

// more orders by samples of the first event, then of the others.
func more(a, b []int64) int {
	for e := range a {
		if c := cmp.Compare(b[e], a[e]); c != 0 {
			return c
		}
	}
	return 0
}

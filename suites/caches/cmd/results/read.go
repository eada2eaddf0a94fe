package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
	"github.com/tarebench/tare/suites/caches"
	"github.com/tarebench/tare/suites/published"
)

// confidence is that of the article's error bars.
const confidence = 0.999

// Units that are made here, from several of one fork.
const (
	heapUnit     = "heap-B"       // usedHeap_returned less usedHeap_baseline: the cache, which is still held
	perEntryUnit = "heap-B/entry" // the same for each entry that this fork held
)

// A result is one record.
type result struct {
	name     string // of the size: full, scaled, or what else the entries are
	config   caches.Config
	budget   string // of memory, of the comparison at equal memory: "100MB"; else ""
	run      *record.Run
	commit   string
	machine  published.Conditions
	rows     []*row // as the suite lists them
	warnings []warning
}

// A row is one cache.
type row struct {
	kind   caches.Kind
	side   string // of a record with sides; else ""
	forks  int    // timed ones that count
	failed int
	values map[string][]float64 // unit → one value per fork
	heap   *record.Heap         // what the heap of one fork held; nil if that was not read
}

// figure is the value of a unit with its interval, over forks.
func (r *row) figure(unit string) stat.Interval {
	return stat.MedianInterval(r.values[unit], confidence)
}

// A warning is one of the record, with the rows that it is about.
type warning struct {
	code, text string
	about      []string // caches; empty for the whole run
}

// reading is the state of reading a record.
type reading struct {
	result
	cases   map[int]*row
	samples map[int][]record.Values // of forks whose line has not come yet
	heaps   map[int]*record.Heap    // the same, by fork
	forks   map[int]*row
}

func read(in io.Reader, name string) (*result, error) {
	r := &reading{heaps: map[int]*record.Heap{}, cases: map[int]*row{}, samples: map[int][]record.Values{}, forks: map[int]*row{}}
	for line, err := range record.NewReader(in, name).All() {
		if err != nil {
			return nil, err
		}
		if err := r.take(line); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	r.order()
	if len(r.rows) == 0 {
		return nil, fmt.Errorf("%s: no results of this suite; measure with --bench ReadThrough or EqualMemory", name)
	}
	return &r.result, nil
}

func (r *reading) take(line record.Line) error {
	switch l := line.(type) {
	case *record.Run:
		r.run = l
		r.commit = l.Tare
		if len(l.Sides) > 0 && l.Sides[0].Revision != "" {
			r.commit = l.Sides[0].Revision
		}
	case *record.Case:
		return r.takeCase(l)
	case *record.Overhead:
		r.machine.Add(l)
	case *record.Sample:
		if l.Phase == record.PhaseMeasure {
			r.samples[l.Fork] = append(r.samples[l.Fork], l.V)
		}
	case *record.Attach:
		return r.takeHeap(l)
	case *record.Fork:
		r.takeFork(l)
	case *record.Warn:
		r.warn(l)
	}
	return nil
}

// takeCase finds out which cache a case is of. All cases are of one size.
func (r *reading) takeCase(c *record.Case) error {
	through, equal := strings.HasPrefix(c.Name, "ReadThrough/"), strings.HasPrefix(c.Name, "EqualMemory/")
	if !through && !equal {
		return nil
	}
	p := map[string]string{}
	for _, x := range c.Params {
		p[x.Key] = x.Value
	}
	var cfg caches.Config
	sizes := map[string]*int{"keys": &cfg.Keys, "workers": &cfg.Workers}
	if through {
		sizes["entries"] = &cfg.Entries
	}
	for key, to := range sizes {
		n, err := strconv.Atoi(p[key])
		if err != nil {
			return fmt.Errorf("case %s: no %s", c.Name, key)
		}
		*to = n
	}
	if r.name != "" && (r.config != cfg || r.budget != p["budget"]) {
		return fmt.Errorf("case %s is of another size than those before; measure one size per record", c.Name)
	}
	r.config, r.budget, r.name = cfg, p["budget"], nameOf(cfg)
	if equal {
		r.name = "equal-" + r.budget
	}
	if r.sided() {
		r.name += "-" + strings.Join(sideNames(r.run), "-")
	}
	for _, k := range caches.All() {
		if k.Name == p["cache"] {
			r.cases[c.ID] = &row{kind: k, side: c.Side, values: map[string][]float64{}}
			return nil
		}
	}
	return fmt.Errorf("case %s: the suite knows no such cache", c.Name)
}

func nameOf(cfg caches.Config) string {
	for _, known := range []caches.Config{caches.Full, caches.Scaled} {
		if cfg.Entries == known.Entries && cfg.Keys == known.Keys && cfg.Workers == known.Workers {
			return known.Name
		}
	}
	return strconv.Itoa(cfg.Entries)
}

// takeFork turns the samples of a fork into one value per unit.
func (r *reading) takeFork(f *record.Fork) {
	samples := r.samples[f.ID]
	delete(r.samples, f.ID)
	row := r.cases[f.Case]
	timing, mem := f.Purpose == record.PurposeTiming, f.Purpose == "mem"
	if row != nil && f.State == record.StateOK && r.heaps[f.ID] != nil {
		row.heap = r.heaps[f.ID]
	}
	if row == nil || !timing && !mem {
		return
	}
	r.forks[f.ID] = row
	if f.State != record.StateOK {
		row.failed++
		return
	}
	values := medians(samples)
	if timing {
		row.forks++
	}
	for unit, v := range values {
		if tells(unit, mem) {
			row.values[unit] = append(row.values[unit], v)
		}
	}
	if !mem {
		return
	}
	after, ok1 := values["usedHeap_returned-B"]
	before, ok2 := values["usedHeap_baseline-B"]
	if ok1 && ok2 {
		row.values[heapUnit] = append(row.values[heapUnit], after-before)
		if n := values["entries"]; n > 0 {
			row.values[perEntryUnit] = append(row.values[perEntryUnit], (after-before)/n)
		}
	}
}

// tells reports whether a fork has something to say about the unit. The times and
// allocations of one for memory are disturbed by its collections; what it holds and
// hits is not.
func tells(unit string, mem bool) bool {
	switch unit {
	case "entries", "hit-%", "miss-ns", "capacity":
		return true
	case caches.PeakUnit:
		return !mem
	}
	return mem == strings.HasSuffix(unit, "-B")
}

// medians are those over the iterations of one fork.
func medians(samples []record.Values) map[string]float64 {
	all := map[string][]float64{}
	for _, vs := range samples {
		for _, v := range vs {
			all[v.Unit] = append(all[v.Unit], v.Value)
		}
	}
	out := map[string]float64{}
	for unit, vs := range all {
		out[unit] = stat.Median(vs)
	}
	return out
}

func (r *reading) warn(w *record.Warn) {
	about := ""
	switch w.About {
	case record.AboutCase:
		if x := r.cases[w.ID]; x != nil {
			about = x.kind.Name
		}
	case record.AboutFork:
		if x := r.forks[w.ID]; x != nil {
			about = x.kind.Name
		}
	}
	for i := range r.warnings {
		if x := &r.warnings[i]; x.code == w.Code {
			x.add(about)
			return
		}
	}
	x := warning{code: w.Code, text: w.Text}
	x.add(about)
	r.warnings = append(r.warnings, x)
}

func (w *warning) add(name string) {
	for _, x := range w.about {
		if x == name {
			return
		}
	}
	if name != "" {
		w.about = append(w.about, name)
	}
}

// order puts the rows in the order of the suite, which is that of names and not of
// figures.
func (r *reading) order() {
	for _, k := range caches.All() {
		for _, id := range slices.Sorted(maps.Keys(r.cases)) {
			if x := r.cases[id]; x.kind.Name == k.Name {
				r.rows = append(r.rows, x)
			}
		}
	}
}

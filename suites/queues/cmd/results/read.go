package main

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/suites/published"
)

// confidence of all intervals.
const confidence = 0.95

// A result is what one or several records say.
type result struct {
	runs     []run
	rows     []*row // in the order of the records
	byName   map[string]*row
	warnings map[string]int // code → how often
	revision string         // of tare and the suite, "" if the records know
}

// A run is one record.
type run struct {
	name     string
	header   *record.Run
	machine  published.Conditions
	forks    int
	complete bool
}

// reading is the state of reading one record.
type reading struct {
	*result
	run     run
	cases   map[int]*row
	windows map[int]map[int]window // fork → iteration → window, until the fork's line comes
}

// read reads records, gzipped ones too. A benchmark that is in several is one row.
func read(names []string) (*result, error) {
	res := &result{byName: map[string]*row{}, warnings: map[string]int{}}
	for _, name := range names {
		if err := res.readFile(name); err != nil {
			return nil, err
		}
	}
	if len(res.rows) == 0 {
		return nil, fmt.Errorf("%s: no results of this suite", strings.Join(names, ", "))
	}
	return res, nil
}

// open opens a record, and unpacks it if its name ends in .gz.
func open(name string) (io.ReadCloser, error) {
	f, err := os.Open(name)
	if err != nil || !strings.HasSuffix(name, ".gz") {
		return f, err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}

func (res *result) readFile(name string) error {
	f, err := open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := &reading{result: res, run: run{name: name}, cases: map[int]*row{}, windows: map[int]map[int]window{}}
	for line, err := range record.NewReader(f, name).All() {
		if err != nil {
			return err
		}
		r.take(line)
	}
	if r.run.header == nil {
		return fmt.Errorf("%s: no run line; is it a record of tare?", name)
	}
	res.runs = append(res.runs, r.run)
	return nil
}

func (r *reading) take(line record.Line) {
	switch l := line.(type) {
	case *record.Run:
		r.run.header = l
	case *record.Case:
		r.takeCase(l)
	case *record.Overhead:
		r.run.machine.Add(l)
	case *record.Sample:
		r.takeSample(l)
	case *record.Fork:
		r.takeFork(l)
	case *record.Warn:
		r.warnings[l.Code]++
	case *record.End:
		r.run.complete = l.State == record.EndCompleted
	}
}

func (r *reading) takeCase(c *record.Case) {
	x := r.byName[c.Name]
	if x == nil {
		x = newRow(c.Name, c.Params)
		r.byName[c.Name] = x
		r.rows = append(r.rows, x)
	}
	r.cases[c.ID] = x
}

func (r *reading) takeSample(s *record.Sample) {
	if s.Phase != record.PhaseMeasure {
		return
	}
	iters := r.windows[s.Fork]
	if iters == nil {
		iters = map[int]window{}
		r.windows[s.Fork] = iters
	}
	if iters[s.Iter] == nil {
		iters[s.Iter] = window{}
	}
	iters[s.Iter].add(s.Role, s.V)
}

func (r *reading) takeFork(f *record.Fork) {
	iters := r.windows[f.ID]
	delete(r.windows, f.ID)
	x := r.cases[f.Case]
	if x == nil || f.Purpose != record.PurposeTiming {
		return
	}
	if f.State != record.StateOK {
		x.failed++
		return
	}
	r.run.forks++
	windows := make([]window, 0, len(iters))
	for _, w := range iters {
		windows = append(windows, w)
	}
	x.addFork(windows)
}

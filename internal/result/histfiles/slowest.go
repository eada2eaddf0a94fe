package histfiles

import (
	"bufio"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/record"
)

// Slowest are the operations of a run, of a step of a search or a sweep, or of a side, that took longest.
type Slowest struct {
	File       string                 `json:"file"`
	Of         string                 `json:"of,omitempty"`          // the step or the side; "": the run is neither
	ClosedLoop bool                   `json:"closed_loop,omitempty"` // operations were never due
	Operations []record.SlowOperation `json:"operations"`            // the longest first
}

// Slowest returns the slowest operations of all files, which must be records of tare load. What a damaged record has before
// its damage is returned with the error.
func (in *Input) Slowest() ([]Slowest, error) {
	var all []Slowest
	var errs []error
	for _, path := range in.Files {
		found, err := in.slowestOf(path)
		all, errs = append(all, found...), append(errs, err)
	}
	return all, errors.Join(errs...)
}

func (in *Input) slowestOf(path string) (all []Slowest, err error) {
	f, err := input.Open(path, in.Stdin)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := bufio.NewReaderSize(f, 64<<10)
	if head, _ := b.Peek(headSize); !isRecord(head) {
		return nil, exit.Failed(fmt.Errorf("%s: is no record of tare load: a log of histograms has no single operations", f.Name), "tare load -o FILE.jsonl keeps the slowest")
	}
	var errs []error
	for _, r := range runs.Read(b, f.Name) {
		if r.CopyOf != 0 {
			continue
		}
		if r.Err != nil {
			errs = append(errs, exit.Failed(r.Err, ""))
		}
		found := slowestIn(f.Name, r.Result)
		if len(found) == 0 && r.Err == nil {
			errs = append(errs, noSlowest(f.Name, r.Result))
		}
		all = append(all, found...)
	}
	return all, errors.Join(errs...)
}

// slowestIn returns those of a run.
func slowestIn(file string, r *result.Result) (all []Slowest) {
	add := func(of string, l *result.Load) {
		if l != nil && len(l.Slowest) > 0 {
			all = append(all, Slowest{file, of, l.ClosedLoop, l.Slowest})
		}
	}
	switch {
	case r.LoadPairs != nil:
		for i := range r.LoadPairs.Sides {
			x := &r.LoadPairs.Sides[i]
			add(x.Side, &x.Load)
		}
	case len(r.Steps) > 0:
		for i := range r.Steps {
			add("at "+units.Rate(r.Steps[i].TargetRate), &r.Steps[i])
		}
	default:
		add("", r.Load)
	}
	return all
}

// noSlowest returns why a run has none.
func noSlowest(file string, r *result.Result) error {
	if kind := record.KindOf(r.Run); kind != record.KindLoad {
		return exit.Failed(fmt.Errorf("%s: is a record of tare %s, which lists no operations", file, kind), "")
	}
	return exit.Failed(fmt.Errorf("%s: lists no slowest operations: the run was cut off before its end, had --slowest 0, or was made by an older tare", file), "")
}

// Package runs reads record files that hold one run or, put together from several files, more.
//
//	for _, r := range runs.Read(file, "all.jsonl") {
//		… r.Result, r.Err, r.Number, r.Of
//	}
package runs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// Run is a run of a file.
type Run struct {
	*result.Result
	Number int   // of the run in the file, from 1
	CopyOf int   // the number of the run that this one is a copy of, and which has as many lines or more; 0 for none
	Err    error // what could not be read of it

	builder *result.Builder
	errs    []error
	lines   int
}

// Judge replaces the run's own judgement.
func (r *Run) Judge(j result.Judgement) {
	if !j.IsZero() && r.Result.Run != nil {
		r.builder.Judge(j)
		r.Result = r.builder.Result()
	}
}

// Bins returns the binaries of the run, by their IDs.
func (r *Run) Bins() map[int]*record.Bin { return r.builder.Bins() }

// maxRuns bounds the memory that a file takes.
const maxRuns = 1000

// Read returns the runs of a file, in its order; there is at least one. name is for
// errors. A run that is in the file twice, as when a record that was cut off stands
// beside the whole one, is marked as a copy where it is shorter.
func Read(r io.Reader, name string) []*Run { return read(record.NewReader(r, name), func() {}) }

// Copy is Read that copies the file to w as well, as far as it is read. Secrets of addresses
// are hidden, and what a terminal would obey is escaped. It writes nothing if r is no record. An error of w is one of the last run.
func Copy(w io.Writer, r io.Reader, name string) []*Run {
	var head bytes.Buffer
	copied := &diverted{Writer: &head}
	lines := redact.NewLines(termtext.JSON(w))
	var failed error
	all := read(record.NewReader(io.TeeReader(r, copied), name), func() {
		_, failed = lines.Write(head.Bytes())
		copied.Writer = lines
	})
	last := all[len(all)-1]
	last.Err = errors.Join(failed, lines.Flush(), last.Err)
	return all
}

// diverted is a writer that can be exchanged.
type diverted struct{ io.Writer }

// read calls begun after the first line of a record.
func read(in *record.Reader, begun func()) []*Run {
	now := newRun(1)
	all, damaged := []*Run{now}, 0
	for line, err := range in.All() {
		if err == nil {
			if err = now.builder.AddOf(line, in); now.lines == 0 && len(all) == 1 {
				begun()
			}
		}
		if errors.As(err, new(*record.SecondRunError)) && len(all) < maxRuns {
			now = newRun(len(all) + 1)
			all = append(all, now)
			now.builder.Add(line)
			err = nil
		}
		now.lines++
		if err == nil {
			continue
		}
		now.errs = append(now.errs, err)
		if damaged++; damaged == result.MaxDamaged || errors.As(err, new(*record.SecondRunError)) {
			break
		}
	}
	for _, x := range all {
		x.Result, x.Err = x.builder.Result(), errors.Join(x.errs...)
	}
	markCopies(all)
	return all
}

func newRun(number int) *Run { return &Run{Number: number, builder: result.NewBuilder()} }

// markCopies marks all but the longest of each run.
func markCopies(all []*Run) {
	longest := map[identity]*Run{}
	for _, x := range all {
		id := identityOf(x)
		kept := longest[id]
		switch {
		case kept == nil:
			longest[id] = x
		case x.lines > kept.lines:
			longest[id] = x
			kept.CopyOf = x.Number
		default:
			x.CopyOf = kept.Number
		}
	}
	for _, x := range all { // a copy of a copy
		if x.CopyOf != 0 {
			x.CopyOf = longest[identityOf(x)].Number
		}
	}
}

// identity is what two records have in common only if they are of one run.
type identity struct {
	start time.Time
	mono  int64
	seed  record.Seed
	kind  string

	machine string
	only    int // the number of a run that says nothing of itself
}

func identityOf(x *Run) identity {
	if x.Run == nil || x.Run.Start.IsZero() {
		return identity{only: x.Number}
	}
	return identity{start: x.Run.Start.UTC(), mono: x.Run.Mono, seed: x.Run.Seed, kind: record.KindOf(x.Run), machine: x.Run.Machine}
}

// Count returns how many runs are no copies.
func Count(all []*Run) int {
	n := 0
	for _, x := range all {
		if x.CopyOf == 0 {
			n++
		}
	}
	return n
}

// Copies returns a sentence for each of the first three copies, and one for those that follow.
func Copies(all []*Run) (out []string) {
	const most = 3
	n := 0
	for _, x := range all {
		if x.CopyOf == 0 {
			continue
		}
		if n++; n <= most {
			out = append(out, fmt.Sprintf("run %d is a copy of run %d and does not count", x.Number, x.CopyOf))
		}
	}
	if n > most {
		out = append(out, fmt.Sprintf("%d more runs are copies and do not count", n-most))
	}
	return out
}

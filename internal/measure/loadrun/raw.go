package loadrun

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/base/clock"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/numbers/measurement"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// rawLatencies keeps each latency of a run on disk, in a temporary file for each series, because YCSB writes one series
// after the other. The memory of a long run stays bounded.
type rawLatencies struct {
	out   *os.File // to which all are appended; nil for stdout
	dir   *tempdir.Place
	epoch int64 // from CLOCK_MONOTONIC to the time since 1970, ns

	mu     sync.Mutex // of series and err
	series []*rawSeries
	err    error // of the first latency that could not be kept
}

type rawSeries struct {
	name string
	mu   sync.Mutex
	file *os.File
	w    *bufio.Writer
	line []byte
}

func newRawLatencies(path string) (r *rawLatencies, err error) {
	r = &rawLatencies{epoch: time.Now().UnixNano() - clock.Now()}
	if path != "" {
		if r.out, err = session.AppendFile("property measurement.raw.output_file", path); err != nil {
			return nil, err
		}
	}
	if r.dir, err = tempdir.Dir("raw"); err != nil {
		return nil, exit.Failed(err, "")
	}
	return r, nil
}

// observe returns the function that keeps the operations of a target with these kinds; nil if none are to be kept.
func (f *YCSBFiles) observe(kinds []string) func(load.Operation) {
	if f == nil || f.raw == nil {
		return nil
	}
	type ofKind struct{ service, response, failed, intendedFailed *rawSeries }
	prefix := f.prefix(measurement.Raw)
	get := func(name, tag string) *rawSeries {
		if name = f.series(name, tag); name == "" {
			return nil
		}
		return f.raw.get(prefix + name)
	}
	all := make([]ofKind, len(kinds))
	for i, name := range kinds {
		all[i] = ofKind{get(name, record.TagService), get(name, record.TagResponse), get(name, record.TagFailed), nil}
		if all[i].service != nil && all[i].response != nil {
			all[i].intendedFailed = f.raw.get(prefix + "Intended-" + f.series(name, record.TagFailed))
		}
	}
	return func(o load.Operation) {
		of := &all[o.Kind]
		first, second := of.service, of.response
		if o.Failed {
			first, second = of.failed, of.intendedFailed
		}
		from := o.Start
		if of.service == nil { // response times alone
			from = o.Due
		}
		if first != nil {
			f.raw.add(first, o.End, o.End-from)
		}
		if second != nil {
			f.raw.add(second, o.End, o.End-o.Due)
		}
	}
}

// get returns a series of a name.
func (r *rawLatencies) get(name string) *rawSeries {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.series {
		if s.name == name {
			return s
		}
	}
	s := &rawSeries{name: name}
	var err error
	if s.file, err = os.Create(filepath.Join(r.dir.Path, strconv.Itoa(len(r.series)))); err != nil {
		r.err = err
		return nil
	}
	s.w = bufio.NewWriterSize(s.file, 64<<10)
	r.series = append(r.series, s)
	return s
}

// add keeps a latency in ns of an operation that ended at a time of CLOCK_MONOTONIC.
func (r *rawLatencies) add(s *rawSeries, end, latency int64) {
	at := (r.epoch + end) / int64(time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.line = append(append(s.line[:0], s.name...), ',')
	s.line = append(strconv.AppendInt(s.line, at, 10), ',')
	s.line = append(strconv.AppendInt(s.line, latency/1000, 10), '\n')
	if _, err := s.w.Write(s.line); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.err == nil {
			r.err = err
		}
	}
}

// finish appends all to the file. It returns the first error, also of keeping them.
func (r *rawLatencies) finish() error {
	err := r.err
	if r.out != nil {
		b := bufio.NewWriter(r.out)
		err = errors.Join(err, r.writeTo(b), b.Flush(), r.out.Close())
		r.out = nil
	}
	if err != nil {
		return exit.Failed(fmt.Errorf("latencies of measurementtype=raw are not complete: %w", err), "")
	}
	return nil
}

// writeTo writes the series that have latencies, each below a line that names it.
func (r *rawLatencies) writeTo(w io.Writer) error {
	for _, s := range slices.Clone(r.series) {
		if err := s.w.Flush(); err != nil {
			return err
		}
		size, err := s.file.Seek(0, io.SeekEnd)
		if err != nil || size == 0 {
			continue
		}
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s latency raw data: op, timestamp(ms), latency(us)\n", s.name); err != nil {
			return err
		}
		if _, err := io.Copy(w, s.file); err != nil {
			return err
		}
	}
	return nil
}

func (r *rawLatencies) remove() {
	for _, s := range r.series {
		s.file.Close()
	}
	r.series = nil
	r.dir.Remove()
}

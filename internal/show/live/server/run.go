package server

import (
	"bytes"
	"io"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// View is what the command knows of pages and connections.
type View struct {
	Page func(w io.Writer, so *result.Result) error // of a run that goes on
	Main func(w io.Writer, so *result.Result) error // what is inside of that page's element main
	File func(w io.Writer, recordPath string) error // the finished page, with the record inside
	Name func(recordPath string) string             // of the file that a browser saves
}

// renderEvery bounds how often results are computed while a run goes on.
const renderEvery = 2 * time.Second

// run is a run, as far as its record was read.
type run struct {
	view View

	mu      sync.Mutex
	place   place // up to which the record was read
	path    string
	decoder record.LineDecoder
	builder *result.Builder
	metrics *metrics
	result  *result.Result // of the builder; nil after a line came
	ended   bool           // the record is whole
	main    []byte         // what Main wrote last
	mains   int            // how often it was written
	mainAt  time.Time
	mainOf  place         // of the record
	changed chan struct{} // closed when there is something new
}

// place is a place in a record. A record that another program moved goes on in another file, and is read anew.
type place struct {
	file   int // which of the files, from 1; 0 before there is one
	offset int64
}

func newRun(view View) *run {
	r := &run{view: view, changed: make(chan struct{})}
	r.begin()
	return r
}

// begin forgets what was read.
func (r *run) begin() {
	r.builder, r.metrics, r.result, r.place.offset = result.NewBuilder(), newMetrics(), nil, 0
}

// open takes the name of the record file.
func (r *run) open(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path == path {
		return
	}
	r.path = path
	r.place.file++
	r.begin()
	r.tell()
}

// tell wakes the goroutines that wait for new lines.
func (r *run) tell() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// catchUp reads what was written since the last time, and reports whether there was something.
func (r *run) catchUp() (more bool) {
	for r.step() {
		more = true
	}
	return more
}

// step reads some lines, so that others do not wait for all of a long record.
func (r *run) step() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.readSome()
}

func (r *run) read() {
	for r.readSome() {
	}
}

// readSome reads the next lines, about 256 KiB, and reports whether there were any.
func (r *run) readSome() bool {
	if r.path == "" {
		return false
	}
	text, err := readLines(r.path, r.place.offset)
	if err != nil || len(text) == 0 {
		return false // a file that cannot be read now may be read later
	}
	r.place.offset += int64(len(text))
	for line := range bytes.Lines(text) {
		r.add(bytes.TrimSpace(line))
	}
	r.result = nil
	r.tell()
	return true
}

// add takes a line. One that is malformed is skipped, as by other readers.
func (r *run) add(text []byte) {
	if len(text) == 0 {
		return
	}
	l, err := r.decoder.Decode(text)
	if err != nil {
		return
	}
	r.builder.Add(l)
	r.metrics.add(l)
}

// end reads the rest of the record, which is whole and has the name path.
func (r *run) end(path string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.path == "" {
		r.place.file++
	}
	r.path = path
	r.read()
	r.ended = true
	r.mainAt = time.Time{}
	r.render()
	r.tell()
}

// update shows what was read, at most every renderEvery.
func (r *run) update() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.place != r.mainOf && time.Since(r.mainAt) >= renderEvery {
		r.render()
		r.tell()
	}
}

// render writes the main part of the page anew. What cannot be written is left as it was.
func (r *run) render() {
	var b bytes.Buffer
	if r.view.Main(&b, r.soFar()) == nil {
		r.main = b.Bytes()
		r.mains++
	}
	r.mainAt, r.mainOf = time.Now(), r.place
}

// soFar returns the result of what was read. One that goes on says so, where a record without an end would seem cut off.
func (r *run) soFar() *result.Result {
	if r.result == nil {
		r.result = r.builder.Result()
	}
	so := *r.result
	if so.End == nil && !r.ended {
		so.End = &record.End{State: record.EndPartial, Why: "the run goes on"}
	}
	return &so
}

// page writes the page of the run so far.
func (r *run) page(w io.Writer) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.read()
	return r.view.Page(w, r.soFar())
}

// file writes the page with the record inside.
func (r *run) file(w io.Writer) error {
	return r.view.File(w, r.recordPath())
}

func (r *run) recordPath() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.path
}

// isWhole reports whether the record is whole.
func (r *run) isWhole() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ended
}

package session

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// PartialSuffix marks a record that is being written beside an existing file.
const PartialSuffix = ".partial"

// keptRuns is how many records of runs without -o are kept in the user's cache.
const keptRuns = 20

// Recorder takes the lines of a run. It writes them to the record file at once,
// so that they are on disk whatever happens next, and feeds them to the builder
// of the result.
type Recorder struct {
	*result.Builder

	// WriteHint says what to do when a line cannot be written. The default is
	// to resume the run with tare bench.
	WriteHint string

	file    *os.File
	w       *record.Writer
	path    string   // of the file that is being written
	final   string   // the name of path when the run is complete; "" if it stays
	named   bool     // the user named the file
	begun   bool     // the file has lines of this run
	claimed *os.File // holds the claim on a record that is resumed
}

// OpenRecorder opens the record file of a run before anything is measured, so
// that a file that cannot be written is found out now. With path "" the record
// goes to the user's cache, where the last 20 are kept. An existing file is
// replaced only when the run is complete: until then the record is beside it.
func OpenRecorder(path string, seed record.Seed, start time.Time) (*Recorder, error) {
	r := &Recorder{Builder: result.NewBuilder(), path: path, named: path != ""}
	if path == "" {
		r.path = defaultRecord(seed, start)
	} else if target, exists, err := resolveOutput(path); err != nil {
		return nil, err
	} else if r.path = target; exists {
		r.path, r.final = target+PartialSuffix, target
	}
	// What is in the file stays until there is a line to replace it: it may be
	// all that is left of a run that was killed.
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_WRONLY, 0o666)
	switch {
	case err == nil:
	case r.named:
		return nil, cannotWrite(r.path, err)
	default:
		return nil, exit.Failed(fmt.Errorf("a place for the records: %w", err), "name one with -o FILE.jsonl")
	}
	r.file, r.w = f, record.NewWriter(f)
	return r, claimRecord(f)
}

// NewRecorder returns a recorder that writes to an open file and keeps its name.
func NewRecorder(f *os.File) *Recorder {
	return &Recorder{Builder: result.NewBuilder(), file: f, w: record.NewWriter(f), path: f.Name(), named: true}
}

// ResumeRecorder opens a record file to continue it, and claims it. If path does
// not exist but its partial record does, that one is opened. check is called
// with the first line before the file is changed. cut is the size in bytes of
// an incomplete last line that was removed.
//
// The caller reads the lines with [Recorder.Replay].
func ResumeRecorder(path string, check func(path string, first record.Line, err error) error) (r *Recorder, cut int64, err error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(path + PartialSuffix); err == nil {
			path += PartialSuffix
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, exit.Usage(err, "")
	}
	if err := claimRecord(f); err != nil { // before its end is repaired: another run may be writing it
		return nil, 0, err
	}
	line, err := record.NewReader(f, path).Next()
	if err := check(path, line, err); err != nil {
		return nil, 0, err
	}
	file, cut, err := record.OpenAppend(path)
	if err != nil {
		return nil, 0, exit.Usage(err, "")
	}
	r = &Recorder{Builder: result.NewBuilder(), file: file, w: record.NewWriter(file), path: path, named: true, begun: true, claimed: f}
	r.final, _ = strings.CutSuffix(path, PartialSuffix)
	if r.final == path {
		r.final = ""
	}
	return r, cut, nil
}

// Replay feeds the lines of a record that is resumed to each and to the builder.
func (r *Recorder) Replay(each func(record.Line)) error {
	if _, err := r.claimed.Seek(0, 0); err != nil {
		return exit.Failed(err, "")
	}
	for line, err := range record.NewReader(r.claimed, r.path).All() {
		if err != nil {
			return exit.Failed(err, "a damaged record cannot be resumed; tare report prints what can be read of it")
		}
		each(line)
		r.Add(line)
	}
	return nil
}

// Path returns the name of the file that is being written.
func (r *Recorder) Path() string { return r.path }

// PartialBeside returns the partial record beside the file, "" if there is none:
// that of a later run, which was to replace it.
func (r *Recorder) PartialBeside() string {
	if _, err := os.Stat(r.path + PartialSuffix); err != nil {
		return ""
	}
	return r.path + PartialSuffix
}

// Write puts a line on disk and into the result.
func (r *Recorder) Write(l record.Line) error {
	if !r.begun {
		r.begun = true
		r.file.Truncate(0) // what cannot be truncated cannot be written to either
	}
	if err := r.w.Write(l); err != nil {
		return exit.Failed(fmt.Errorf("%s: %w", r.path, err), cmp.Or(r.WriteHint, "what was measured before is in the file; make room and go on with tare bench --resume "+r.path))
	}
	r.Add(l)
	return nil
}

// Begun reports whether the record has lines, so that there is something to
// show. It may be called with nil.
func (r *Recorder) Begun() bool { return r != nil && r.begun }

// Discard removes the file if nothing was written to it and it was empty. It
// may be called with nil.
func (r *Recorder) Discard() {
	if r == nil || r.begun {
		return
	}
	st, err := r.file.Stat()
	r.file.Close()
	if err == nil && st.Size() == 0 {
		os.Remove(r.path)
	}
}

// Close ends the record. A complete one takes the name that was asked for.
func (r *Recorder) Close(complete bool) error {
	if err := r.file.Close(); err != nil {
		return exit.Failed(fmt.Errorf("%s: %w", r.path, err), "")
	}
	if complete && r.final != "" {
		if err := os.Rename(r.path, r.final); err != nil {
			return exit.Failed(err, "the result is in "+r.path)
		}
		r.path, r.final = r.final, ""
	}
	return nil
}

// defaultRecord returns the place of a record for which no file was named.
func defaultRecord(seed record.Seed, start time.Time) string {
	dir := recordsDir()
	removeOldest(dir)
	return filepath.Join(dir, fmt.Sprintf("tare-%s-%s-%d.jsonl", start.UTC().Format("20060102-150405"), seed, os.Getpid()))
}

func recordsDir() string {
	dir, err := os.UserCacheDir()
	if err == nil {
		dir = filepath.Join(dir, "tare", "runs")
		if err = os.MkdirAll(dir, 0o777); err == nil {
			return dir
		}
	}
	return os.TempDir()
}

// removeOldest makes room for one more record. Names sort by time.
func removeOldest(dir string) {
	names, err := filepath.Glob(filepath.Join(dir, "tare-*.jsonl"))
	if err != nil {
		return
	}
	slices.Sort(names)
	for len(names) >= keptRuns {
		os.Remove(names[0])
		names = names[1:]
	}
}

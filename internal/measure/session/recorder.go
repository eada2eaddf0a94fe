package session

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// Recorder takes the lines of a run. It writes them to the record file at once,
// so that they are on disk whatever happens next, and feeds them to the builder
// of the result.
type Recorder struct {
	*result.Builder

	// WriteHint says what to do when a line cannot be written. The default follows
	// from what the file holds.
	WriteHint string

	// OnMove, if not nil, is called with the name of the new file when recording continues there, because another
	// program has changed the file that was written.
	OnMove func(path string)

	out   *OutputFile
	w     *record.Writer
	begun bool // the file has lines of this run
	holds bool // something that was measured

	resumable bool // tare bench --resume goes on with it
}

// OpenRecorder opens the record file of a run before anything is measured, so
// that a file that cannot be written is found out now. With path "" the record
// goes to the user's cache, where the last 20 are kept. An existing file is
// replaced only when the run is complete: until then the record is beside it.
func OpenRecorder(path string, seed record.Seed, start time.Time) (*Recorder, error) {
	named := path != ""
	if !named {
		path = defaultRecord(seed, start)
	}
	out, err := CreateBeside(path)
	switch {
	case err == nil:
		return newRecorder(out), nil
	case named:
		return nil, err
	}
	return nil, exit.Failed(fmt.Errorf("a place for the records: %w", err), "name one with -o FILE.jsonl")
}

func newRecorder(out *OutputFile) *Recorder {
	return &Recorder{Builder: result.NewBuilder(), out: out, w: record.NewWriter(termtext.JSON(out))}
}

// NewRecorder returns a recorder that writes to an open file, keeps its name, and does
// not search for changes by others.
func NewRecorder(f *os.File) *Recorder {
	return newRecorder(&OutputFile{file: f, path: f.Name(), first: f.Name(), now: time.Now})
}

// ResumeRecorder opens a record file to continue it, by the rules of -o, and claims it. If path does
// not exist but its partial record does, that one is opened. check is called
// with the first line. The file is changed by the first line that is written.
//
// The caller reads the lines with [Recorder.Replay].
func ResumeRecorder(path string, check func(path string, first record.Line, err error) error) (*Recorder, error) {
	o, err := resolveOutput("--resume", path)
	if err == nil && o.old == nil {
		if beside, e := resolveOutput("--resume", path+tempdir.PartialSuffix); e != nil || beside.old != nil {
			o, err = beside, e
		}
	}
	switch {
	case err != nil:
		return nil, err
	case o.old == nil:
		_, err := input.File(path) // says what is wrong
		return nil, err
	case !o.old.Mode().IsRegular():
		return nil, exit.Usage(fmt.Errorf("%s: is no regular file, and a run that goes on adds to its record", path), "name the file of the record")
	}
	f, err := tempdir.OpenOwnFile(o.path, os.O_RDWR|appendFlag(), 0o666)
	if err != nil {
		return nil, exit.Usage(fmt.Errorf("--resume %w", err), "resume a copy of your own")
	}
	r, err := resumeRecorder(f, o.path, check)
	if err != nil {
		f.Close()
	}
	return r, err
}

func resumeRecorder(f *os.File, path string, check func(path string, first record.Line, err error) error) (*Recorder, error) {
	if err := claimRecord(f); err != nil { // before it is read: another run may be writing it
		return nil, err
	}
	line, err := record.NewReader(f, path).Next()
	if err := check(path, line, err); err != nil {
		return nil, err
	}
	final, beside := strings.CutSuffix(path, tempdir.PartialSuffix)
	if !beside {
		final = ""
	}
	r := newRecorder(newOutputFile(f, f, path, final))
	r.begun, r.holds, r.resumable = true, true, true
	r.out.unrepaired = true
	return r, r.out.goOn()
}

// Replay feeds the lines of a record that is resumed to each and to the builder. cut is the size in bytes of an incomplete last line,
// which does not count.
func (r *Recorder) Replay(each func(record.Line)) (cut int64, err error) {
	if _, err := r.out.read.Seek(0, 0); err != nil {
		return 0, exit.Failed(err, "")
	}
	in := record.NewReader(r.out.read, r.out.path)
	head := record.NewWriter(&r.out.head)
	for line, err := range in.All() {
		if end := (*record.TruncatedError)(nil); errors.As(err, &end) {
			return int64(end.Bytes), nil
		}
		if err == nil {
			err = r.AddOf(line, in)
		}
		if errors.As(err, new(*record.SecondRunError)) {
			return 0, exit.Failed(err, "give the run a file of its own, which begins at its line of kind run, and resume that")
		}
		if err != nil {
			return 0, exit.Failed(err, "a damaged record cannot be resumed; tare report prints what can be read of it")
		}
		if isHead(line) {
			head.Write(line) // to memory
		} else {
			r.out.lines++
		}
		each(line)
	}
	return 0, nil
}

// Path returns the name of the file that is being written.
func (r *Recorder) Path() string { return r.out.Path() }

// Moved returns the error of a record that another program removed, replaced or
// truncated while it was written; nil if none did. It may be called with nil.
func (r *Recorder) Moved() error {
	if r == nil {
		return nil
	}
	return r.out.Moved()
}

// PartialBeside returns the partial record beside the file, "" if there is none:
// that of a later run, which was to replace it.
func (r *Recorder) PartialBeside() string {
	beside := r.Path() + tempdir.PartialSuffix
	if _, err := os.Stat(beside); err != nil {
		return ""
	}
	return beside
}

// Write puts a line on disk and into the result.
func (r *Recorder) Write(l record.Line) error {
	l = redact.Line(l)
	before := r.Path()
	r.out.Head = isHead(l)
	if err := r.w.Write(l); err != nil {
		return exit.Failed(fmt.Errorf("%s: %w", r.Path(), err), r.writeHint())
	}
	r.begun = true
	r.holds = r.holds || isMeasured(l)
	if run, ok := l.(*record.Run); ok {
		r.resumable = record.KindOf(run) == record.KindBench
	}
	r.Add(l)
	if now := r.Path(); r.OnMove != nil && now != before {
		r.OnMove(now)
	}
	return r.warnLost()
}

// warnLost writes a warning if another program has removed lines from the record.
func (r *Recorder) warnLost() error {
	n := r.out.takeLost()
	if n == 0 {
		return nil
	}
	return r.Write(diagnosis.Warn(diagnosis.RecordLost, diagnosis.Facts{"lines": n}))
}

// isMeasured reports whether a line holds a result; lines such as run, bin and case describe the plan.
func isMeasured(l record.Line) bool {
	switch l := l.(type) {
	case *record.Run, *record.Bin, *record.Case, *record.Warn, *record.Overhead, *record.End:
		return false
	case *record.Fork: // one that failed at discovery is written with the plan
		return l.Purpose != record.PurposeDiscovery && l.Purpose != record.PurposePilot
	}
	return true
}

// isHead reports whether a record whose results were lost still needs the line. Without
// its end the record of a run that was over can be resumed.
func isHead(l record.Line) bool {
	_, isEnd := l.(*record.End)
	return !isMeasured(l) && !isEnd
}

// writeHint says what to do when a line cannot be written. Half a first line is removed.
func (r *Recorder) writeHint() string {
	if !r.begun {
		r.out.file.Truncate(0)
	}
	switch {
	case len(r.out.change()) > 0:
		return "keep other programs from the files of a run, and name one with -o FILE.jsonl"
	case r.WriteHint != "":
		return r.WriteHint
	case !r.begun:
		return "nothing was measured yet; make room and start again, or name a file in another place with -o FILE.jsonl"
	case !r.holds:
		return "nothing was measured yet; make room and start again"
	case r.resumable:
		return "what was measured before is in the file; make room and go on with tare bench --resume " + r.Path()
	}
	return "what was measured before is in the file: tare report " + r.Path()
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
	r.out.Discard()
}

// Close ends the record. A complete one takes the name that was asked for; one in
// which nothing was measured takes no other's place.
func (r *Recorder) Close(complete bool) error {
	err := r.out.check()
	if err == nil {
		err = r.warnLost()
	}
	return errors.Join(err, r.out.Close(complete && r.holds))
}

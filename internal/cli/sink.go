package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// partialSuffix marks a record that is being written beside an existing file.
const partialSuffix = ".partial"

// keptRuns is how many records of runs without -o are kept in the user's cache.
const keptRuns = 20

// sink takes the lines of a run: to the record file, so that they are on disk
// whatever happens next, and to the summary.
type sink struct {
	*result.Builder
	file   *os.File
	w      *record.Writer
	path   string // of the file being written
	final  string // where path goes when the run is complete; "" if it stays
	asked  bool   // the user named the file
	format render.Format
	export string   // file in another format to write at the end; "" for none
	begun  bool     // lines of this run are in the file
	after  string   // what to do after a line could not be written; "": resume a run of tare bench
	held   *os.File // a record that is resumed is claimed by this one
}

// openSink prepares the outputs of a run before anything is measured, so that a
// file that cannot be written is found out now. out is the value of -o.
func openSink(out string, seed record.Seed, now time.Time) (*sink, error) {
	s := &sink{Builder: result.NewBuilder()}
	switch f, known := render.FormatOfPath(out); {
	case out == "" || out == "-":
		s.path = defaultRecord(seed, now)
	case known && f != render.JSONL:
		if err := writable(out); err != nil {
			return nil, err
		}
		s.export, s.format, s.path = out, f, defaultRecord(seed, now)
	case known || filepath.Ext(out) == "":
		path, there, err := target(out)
		if err != nil {
			return nil, err
		}
		s.asked, s.path = true, path
		if there {
			s.path, s.final = path+partialSuffix, path
		}
	default:
		return nil, usageError(fmt.Errorf("-o %s: no format is known by the suffix %s", out, filepath.Ext(out)), "use .jsonl (records), .json, .txt, .md or .csv")
	}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

// open leaves what is in the file until there is something to replace it with:
// it may be all that is left of a run that was killed.
func (s *sink) open() error {
	f, err := os.OpenFile(s.path, os.O_CREATE|os.O_WRONLY, 0o666)
	switch {
	case err == nil:
	case s.asked:
		return unwritable(s.path, err)
	default:
		return failed(fmt.Errorf("a place for the records: %w", err), "name one with -o FILE.jsonl")
	}
	s.file, s.w = f, record.NewWriter(f)
	return claim(f)
}

// target is the file that -o names; links are followed, so that what they lead
// to is replaced and not they. there tells whether it exists.
func target(out string) (path string, there bool, err error) {
	path, err = filepath.EvalSymlinks(out)
	if errors.Is(err, fs.ErrNotExist) {
		return out, false, nil
	}
	var st os.FileInfo
	if err == nil {
		st, err = os.Stat(path)
	}
	switch {
	case err != nil:
		return "", false, unwritable(out, err)
	case st.IsDir():
		return "", false, usageError(fmt.Errorf("-o %s: is a directory", out), "name a file in it")
	case !st.Mode().IsRegular():
		return "", false, usageError(fmt.Errorf("-o %s: is not a regular file", out), "--format says what stdout gets")
	}
	return path, true, nil
}

// writable tries whether a file could be created beside the target of -o.
func writable(out string) error {
	path, _, err := target(out)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return unwritable(out, err)
	}
	f.Close()
	os.Remove(f.Name())
	return nil
}

// unwritable names what was typed, and not a temporary file beside it.
func unwritable(out string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return usageError(fmt.Errorf("-o %s: %w", out, err), "name a file in a directory that can be written to")
}

// resumeSink opens an existing record to go on with it.
func resumeSink(path string) (*sink, int64, error) {
	f, cut, err := record.OpenAppend(path)
	if err != nil {
		return nil, 0, err
	}
	s := &sink{Builder: result.NewBuilder(), file: f, w: record.NewWriter(f), path: path, asked: true, begun: true}
	if final, ok := strings.CutSuffix(path, partialSuffix); ok {
		s.final = final
	}
	return s, cut, nil
}

// write puts a line on disk and into the summary.
func (s *sink) write(l record.Line) error {
	if !s.begun {
		s.begun = true
		s.file.Truncate(0) // what cannot be truncated cannot be written to either
	}
	if err := s.w.Write(l); err != nil {
		return failed(fmt.Errorf("%s: %w", s.path, err), cmp.Or(s.after, "what was measured before is in the file; make room and go on with tare bench --resume "+s.path))
	}
	s.Add(l)
	return nil
}

// holds reports whether something was measured that is worth a report.
func (s *sink) holds() bool { return s != nil && s.begun }

// discard takes the file away if nothing came of the run and nothing was in it.
func (s *sink) discard() {
	if s == nil || s.begun {
		return
	}
	st, err := s.file.Stat()
	s.file.Close()
	if err == nil && st.Size() == 0 {
		os.Remove(s.path)
	}
}

// close ends the record. A complete one takes the name that was asked for.
func (s *sink) close(complete bool) error {
	if err := s.file.Close(); err != nil {
		return failed(fmt.Errorf("%s: %w", s.path, err), "")
	}
	if complete && s.final != "" {
		if err := os.Rename(s.path, s.final); err != nil {
			return failed(err, "the result is in "+s.path)
		}
		s.path, s.final = s.final, ""
	}
	return nil
}

// runsDir is where records go for which no file was named.
func runsDir() string {
	dir, err := os.UserCacheDir()
	if err == nil {
		dir = filepath.Join(dir, "tare", "runs")
		if err = os.MkdirAll(dir, 0o777); err == nil {
			return dir
		}
	}
	return os.TempDir()
}

func defaultRecord(seed record.Seed, now time.Time) string {
	dir := runsDir()
	prune(dir)
	return filepath.Join(dir, fmt.Sprintf("tare-%s-%s-%d.jsonl", now.UTC().Format("20060102-150405"), seed, os.Getpid()))
}

// prune removes the oldest records; their names sort by time.
func prune(dir string) {
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

// replaceFile writes a file beside its name and renames it.
func replaceFile(out string, write func(*os.File) error) error {
	path, _, err := target(out)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

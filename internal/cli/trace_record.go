package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/calls"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/internal/termtext"
	"github.com/tarebench/tare/record"
)

// isRecordFile reports whether what was typed is a record rather than a package: a file
// that is no source.
func isRecordFile(name string) bool {
	if st, err := os.Stat(name); err == nil && st.Mode()&os.ModeDevice != 0 && name != "/dev/stdin" {
		return false // /dev/zero has no end
	}
	return isFile(name) && !strings.HasSuffix(name, ".go")
}

// missingFile is the error about what was typed in the place of a package, and is none by its
// name: a file that is not there. It is nil for anything else.
func missingFile(cmd *cobra.Command, args []string) error {
	if cmd.ArgsLenAtDash() == 0 || len(args) == 0 {
		return nil
	}
	name := args[0]
	if _, err := os.Stat(name); err == nil || !slices.ContainsFunc(fileSuffixes, func(s string) bool { return strings.HasSuffix(name, s) }) {
		return nil
	}
	return usageError(fmt.Errorf("%s: no such file", name), "")
}

// fileSuffixes are those of what verbs show again.
var fileSuffixes = []string{".jsonl", session.PartialSuffix, ".json", ".pprof", ".prof", ".pb.gz", ".txt", ".data"}

// watchRecord is what a record holds of programs that were watched.
type watchRecord struct {
	path  string // as it was typed
	title string // of the file
	run   *record.Run
	cases map[int]*record.Case
	forks []*watchedFork
	end   *record.End
}

// watchedFork is a run of a program, with what was attached to it.
type watchedFork struct {
	*record.Fork
	attached map[string][]byte
}

// ofRecord shows what a record holds.
func (f *watchFlags) ofRecord(st streams, args []string, views func(*watchRecord) ([]*shownView, error)) error {
	if len(args) > 1 {
		return usageError(fmt.Errorf("%s: one record at a time", strings.Join(args, " ")), "")
	}
	r, bad := readWatched(st.in, args[0])
	if r.run == nil {
		return noRecord(args[0], bad)
	}
	shown, err := views(r)
	if err != nil {
		return err
	}
	if args[0] == "-" && (f.out.format == render.JSONL || f.out.records != "") {
		return usageError(errors.New("the records came through standard input and are gone"), "name the file")
	}
	f.out.record = args[0]
	if err := f.out.again(st, &f.show, shown); err != nil {
		return err
	}
	return checkWhole(st.err, &result.Result{Run: r.run, End: r.end}, r.title, bad)
}

// noRecord is about a file that is none: it may be a program.
func noRecord(path string, err error) error {
	st, e := os.Stat(path)
	if n := (*record.NotRecordError)(nil); e == nil && st.Mode()&0o111 != 0 && errors.As(err, &n) {
		if filepath.Base(path) == path {
			path = "./" + path
		}
		return failed(err, "a program that is there already comes behind --: tare sample -- "+command.Join([]string{path}))
	}
	return recordError(err)
}

// readWatched reads a record as far as it goes.
func readWatched(in io.Reader, path string) (*watchRecord, error) {
	r := &watchRecord{path: path, title: titleOf(path), cases: map[int]*record.Case{}}
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return r, err
		}
		defer file.Close()
		in = file
	} else {
		path = stdinName
	}
	open := map[int]*watchedFork{}
	for lines := record.NewReader(in, path); ; {
		l, err := lines.Next()
		if errors.Is(err, io.EOF) {
			if r.run == nil {
				err = fmt.Errorf("%s: is empty", r.title)
				return r, err
			}
			return r, nil
		}
		if err != nil {
			return r, err
		}
		switch l := l.(type) {
		case *record.Run:
			r.run = l
		case *record.Case:
			r.cases[l.ID] = l
		case *record.Attach:
			f := open[l.Fork]
			if f == nil {
				f = &watchedFork{attached: map[string][]byte{}}
				open[l.Fork] = f
			}
			f.attached[l.Name] = l.Data
		case *record.Fork:
			if f := open[l.ID]; f != nil {
				f.Fork = l
				r.forks = append(r.forks, f)
				delete(open, l.ID)
			} else {
				r.forks = append(r.forks, &watchedFork{Fork: l, attached: map[string][]byte{}})
			}
		case *record.End:
			r.end = l
		}
	}
}

// name is that of what a fork ran.
func (r *watchRecord) name(f *watchedFork) string {
	c := r.cases[f.Case]
	if c == nil {
		return fmt.Sprintf("case %d", f.Case)
	}
	name := c.Name
	if r.run != nil && len(r.run.Config.CPU) > 1 {
		name += fmt.Sprintf("-%d", c.Procs)
	}
	if c.Pkg != "" {
		name = c.Pkg + " · " + name
	}
	if c.Side != "" {
		name += " · " + c.Side
	}
	return termtext.Charset{UTF8: true}.Name(name)
}

// with are the forks that have an attachment.
func (r *watchRecord) with(name string) []*watchedFork {
	return slices.DeleteFunc(slices.Clone(r.forks), func(f *watchedFork) bool { return f.attached[name] == nil })
}

// nothing is the error about a record without what a verb shows: which one shows it.
func (r *watchRecord) nothing(verb string) error {
	path := command.Join([]string{r.path})
	hint := "tare report " + path + " shows what is there"
	for _, x := range []struct{ attachment, verb string }{{record.AttachTrace, traceName}, {record.AttachSampled, sampleName}, {record.AttachAsm, "asm"}} {
		if len(r.with(x.attachment)) > 0 {
			hint = fmt.Sprintf("tare %s %s shows what is there", x.verb, path)
			break
		}
	}
	return failed(fmt.Errorf("%s: tare %s: %w", r.title, verb, errNothingWatched), hint)
}

// traceOf reads what probes have counted in forks of the same program.
func (r *watchRecord) traceOf(forks []*watchedFork, cfg calls.Config) (*calls.Calls, error) {
	var all []*record.Trace
	var err error
	for _, f := range forks {
		t := new(record.Trace)
		if err = json.Unmarshal(f.attached[record.AttachTrace], t); err != nil {
			break
		}
		if err = t.Validate(); err != nil {
			break
		}
		all = append(all, t)
	}
	if err == nil {
		var t *record.Trace
		if t, err = record.MergeTraces(all); err == nil {
			var c *calls.Calls
			if c, err = calls.New(t, cfg); err == nil {
				return c, nil
			}
		}
	}
	return nil, failed(fmt.Errorf("%s: %s: %w", r.title, r.name(forks[0]), err), "")
}

// traceViews are the traced programs of a record, and its benchmarks that match, whose
// forks are one.
func traceViews(r *watchRecord, bench string, cfg calls.Config) ([]*shownView, error) {
	only, err := matchBench(bench)
	if err != nil {
		return nil, usageError(fmt.Errorf("--bench: %w", err), "")
	}
	forks := r.with(record.AttachTrace)
	if len(forks) == 0 {
		return nil, r.nothing(traceName)
	}
	if bench != "" && isWatchRun(r.run) {
		return nil, usageError(fmt.Errorf("%s: --bench: it is of one program", r.title), "it chooses from a record of benchmarks")
	}
	var cases []int
	var names []string // of all benchmarks
	byCase := map[int][]*watchedFork{}
	for _, f := range forks {
		name := r.name(f)
		if c := r.cases[f.Case]; c != nil {
			name = c.Name
		}
		names = append(names, name)
		if !only(name) {
			continue
		}
		if byCase[f.Case] == nil {
			cases = append(cases, f.Case)
		}
		byCase[f.Case] = append(byCase[f.Case], f)
	}
	if len(cases) == 0 {
		return nil, failed(fmt.Errorf("%s: nothing that was traced matches --bench %q", r.title, bench), nearBench(bench, names))
	}
	slices.Sort(cases)
	var out []*shownView
	for _, id := range cases {
		if !isWatchRun(r.run) {
			cfg.Name = r.name(byCase[id][0])
		}
		c, err := r.traceOf(byCase[id], cfg)
		if err != nil {
			return nil, err
		}
		out = append(out, callsView(c, r.name(byCase[id][0])))
	}
	return out, nil
}

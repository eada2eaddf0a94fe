package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/runs"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

const reportLong = `tare report reads record files of any verb, whole or cut off, and prints what they
say as the verb does. A FILE of - is standard input. With -o FILE.html it writes one
page, which has the records inside: a FILE may be such a page, too. In a page of
several records of benchmarks the first is the base, and the others are compared
with it.

Of two records of tare sample or tare trace, a page begins with what changed: a flame graph
of the difference, and a table of functions with the interval of each difference. -o
FILE.svg is that flame graph alone, and tare compare prints the table.`

const reportExample = `  tare report new.jsonl
  tare report --format md new.jsonl
  tare report -o new.csv new.jsonl
  tare report -o new.html new.jsonl
  tare report -o diff.svg old-sample.jsonl new-sample.jsonl
  tare report --focus 'json' --sort total sample.jsonl
  tare bench --format jsonl sort | tare report -v -`

func newReport(s streams) *cobra.Command {
	stacks := selectionFlags{}
	f, j := &outputFlags{showOnly: true, suffixes: countedSuffixes()}, &result.Judgement{}
	f.suffixes[".jsonl"] = string(render.JSONL)
	f.formats = slices.Concat(render.Formats(), []render.Format{render.YCSB, render.YCSBJSON, render.Callgrind})
	return verb{
		use:     "report [flags] FILE...",
		short:   "Print record files again, in any format",
		long:    reportLong,
		example: reportExample,
		register: func(fl *pflag.FlagSet) {
			flags.Test(fl, &j.Test, "", tests...)
			stacks.register(fl)
			f.register(fl, tableDetails)
		},
		run: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(errors.New("report needs a record file, or - for standard input"), "tare report FILE")
			}
			p := problems{}
			if f.selected = stacks.selection(&p); p.Err() != nil {
				return p.Err()
			}
			return runReport(s, f, *j, args)
		},
	}.command()
}

// errOneDocument is the error of several runs in a format whose document holds one.
func errOneDocument(f render.Format) error {
	if f == render.JMH {
		return usageError(errors.New("--format jmh: the results of several records are no one array"), "write a file for each, as viewers compare them")
	}
	return usageError(fmt.Errorf("--format %s: a document holds the results of one record, and there are several", f), "write a file for each")
}

// holdsOne reports whether a document of the format holds the results of one run.
func holdsOne(f render.Format) bool {
	return f == render.JUnit || f == render.Callgrind || f == render.JMH
}

// runReport prints each file. A damaged file is printed as far as it can be read, followed by the error.
func runReport(s streams, f *outputFlags, j result.Judgement, files []string) error {
	p := problems{}
	if p.test(j.Test); p.Err() != nil {
		return p.Err()
	}
	format, err := f.check()
	if err != nil {
		return err
	}
	for _, x := range append([]session.File{{Format: string(format)}}, f.Files...) {
		if holdsOne(render.Format(x.Format)) && len(files) > 1 {
			return errOneDocument(render.Format(x.Format))
		}
	}
	if len(f.Files) > 1 && slices.Contains(files, "-") {
		return usageError(errors.New("standard input can be read only once, and there are several -o"), "")
	}
	var bad error // of the last output
	err = f.Show(s.out, string(format), "", func(w io.Writer, format string) error {
		var shown bool
		print := printFiles
		switch render.Format(format) {
		case render.HTML:
			print = printPage
		case render.SVG:
			print = printPicture
		}
		written := &counted{Writer: w}
		if shown, bad = print(s, written, f, render.Format(format), j, files); !shown || bad != nil && written.n == 0 {
			return bad // a file with nothing in it would replace one with something
		}
		return nil
	})
	if bad != nil {
		return bad
	}
	return err
}

// counted counts the bytes that are written.
type counted struct {
	io.Writer
	n int
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n += n
	return n, err
}

// printFiles reports whether anything was shown, beside what was wrong.
func printFiles(s streams, w io.Writer, f *outputFlags, format render.Format, j result.Judgement, files []string) (shown bool, bad error) {
	code := exit.Done // the largest: a file that is missing goes before one that is damaged
	p := &printer{streams: s, w: w, output: f, format: format, judgement: j, several: len(files) > 1}
	for _, path := range files {
		if shown && (format == render.Text || format == render.Markdown) {
			fmt.Fprintln(w)
		}
		ok, err := p.file(path)
		if err != nil {
			code = max(code, printError(s.err, nil, err))
		}
		shown = shown || ok
	}
	if code != exit.Done {
		bad = exit.Silent(code)
	}
	return shown, bad
}

// printer prints the runs of files.
type printer struct {
	streams
	w         io.Writer
	output    *outputFlags
	format    render.Format
	judgement result.Judgement
	several   bool // files
	joined    render.Joined
}

// file prints the runs of a file. Copies of a run are left out.
func (p *printer) file(path string) (shown bool, bad error) {
	in, err := input.Open(path, p.in)
	if err != nil {
		return false, err
	}
	defer in.Close()
	all := runs.Read
	if p.format == render.JSONL {
		all = func(r io.Reader, name string) []*runs.Run { return runs.Copy(p.w, r, name) }
	}
	found := all(in, in.Name)
	for _, text := range runs.Copies(found) {
		exit.Message(p.err, "warning", in.Name+": "+text)
	}
	several := runs.Count(found) > 1
	if several && holdsOne(p.format) {
		return false, errOneDocument(p.format)
	}
	for _, r := range found {
		if r.CopyOf != 0 {
			continue
		}
		name := in.Name
		if several && p.format != render.JSONL {
			name = fmt.Sprintf("%s, run %d of %d", in.Name, r.Number, len(found))
		}
		if several && p.format != render.JSONL {
			render.BeginRun(p.w, p.format, name, r.Number)
		}
		r.Judge(p.judgement)
		if err := checkSelection(p.output.selected, r.Result, name, false); err != nil {
			return shown, errors.Join(bad, err)
		}
		// Tables of several files stay as they have always been: one after another.
		ok, err := p.run(name, r, several || p.several && p.format != render.CSV)
		if shown = shown || ok; err == nil {
			continue
		}
		bad = errors.Join(bad, err)
	}
	return shown, bad
}

// run prints a run. named tells that there are others, from which its name tells it.
func (p *printer) run(name string, r *runs.Run, named bool) (shown bool, err error) {
	if r.Result.Run == nil && r.Err != nil {
		return false, recordError(r.Err)
	}
	if p.format != render.JSONL {
		none := (*render.FormatError)(nil)
		if e := p.write(name, r.Result, named); errors.As(e, &none) {
			return false, failed(fmt.Errorf("%s: %w", name, none), "use "+none.Others())
		} else if e != nil {
			return true, failed(e, "")
		}
	}
	return true, checkWhole(p.err, r.Result, name, r.Err)
}

func (p *printer) write(name string, res *result.Result, named bool) error {
	write := p.output.result(res)
	if !named {
		return write(p.w, string(p.format))
	}
	return p.joined.Write(p.w, p.format, name, func(w io.Writer) error { return write(w, string(p.format)) })
}

// checkWhole returns the error of a damaged record that has been shown as far as it goes.
// One that a killed run left behind is no error: a warning says that it was cut off.
func checkWhole(stderr io.Writer, res *result.Result, path string, err error) error {
	cut := (*record.TruncatedError)(nil)
	switch {
	case err != nil && !(errors.As(err, &cut) && onlyError(err)):
		return recordError(err)
	case err != nil:
		exit.Message(stderr, "warning", fmt.Sprintf("%v; the lines before it were read", cut))
	case res.DamagedHistograms() != "":
		return failed(fmt.Errorf("%s: %s", path, res.DamagedHistograms()), "")
	case res.End == nil:
		exit.Message(stderr, "warning", path+": the run was cut off: its record has no end")
	default:
		return nil
	}
	if hint := resumeHint(res.Run, path); hint != "" {
		exit.Message(stderr, "hint", hint)
	}
	return nil
}

// onlyError reports whether err joins no other error to its first.
func onlyError(err error) bool {
	m, joined := err.(interface{ Unwrap() []error })
	return !joined || len(m.Unwrap()) == 1
}

// resumeHint returns how a run that was cut off goes on; "" if it cannot.
func resumeHint(run *record.Run, path string) string {
	if _, err := os.Stat(path); err != nil {
		return "" // standard input, or one of several runs
	}
	if record.KindOf(run) == record.KindBisect {
		return "go on with it: tare bisect --resume " + path
	}
	if k := record.KindOf(run); k != record.KindBench && (k != record.KindAsm || len(run.Config.Packages) == 0) {
		return ""
	}
	return "go on with it: tare bench --resume " + path
}

// recordError returns err with a hint, if a record file is damaged.
func recordError(err error) error {
	if exit.As(err) != nil {
		return err
	}
	hint := ""
	if v := (*record.VersionError)(nil); errors.As(err, &v) {
		hint = "go install github.com/tarebench/tare/cmd/tare@latest"
	}
	if n := (*record.NotRecordError)(nil); errors.As(err, &n) {
		hint = "records are written by tare bench -o FILE.jsonl"
	}
	if t := (*record.TruncatedError)(nil); errors.As(err, &t) && t.Line > 1 {
		hint = "the lines before it are whole; tare report shows what they hold"
	}
	if t := (*record.SecondRunError)(nil); errors.As(err, &t) {
		err, hint = t, "tare report shows each run; give each a file of its own, which begins at its line of kind run"
	}
	return failed(firstOf(err), hint)
}

// firstOf returns the first of several joined errors, and how many follow.
func firstOf(err error) error {
	if m, ok := err.(interface{ Unwrap() []error }); ok && len(m.Unwrap()) > 1 {
		return fmt.Errorf("%w (and %d more)", m.Unwrap()[0], len(m.Unwrap())-1)
	}
	return err
}

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
	"github.com/tarebench/tare/record"
)

func newReport(s streams) *cobra.Command {
	f := &showFlags{loads: true}
	cmd := &cobra.Command{
		Use:   "report [flags] FILE...",
		Short: "Print record files again, in any format",
		Long: `tare report reads record files of any verb, whole or cut off, and prints what they
say as the verb does. A FILE of - is standard input.`,
		Example: `  tare report new.jsonl
  tare report --format md new.jsonl
  tare report -o new.csv new.jsonl
  tare bench --format jsonl sort | tare report -v -`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError(errors.New("report needs a record file, or - for standard input"), "tare report FILE")
			}
			return runReport(s, f, args)
		},
	}
	f.register(cmd.Flags(), false)
	return cmd
}

// runReport prints each file. A damaged file is printed as far as it can be
// read, and then complained about.
func runReport(s streams, f *showFlags, files []string) error {
	format, err := f.check()
	if err != nil {
		return err
	}
	if format == render.JMH && len(files) > 1 {
		return usageError(errors.New("--format jmh: the results of several records are no one array"), "write a file for each, as viewers compare them")
	}
	if f.out == "" || f.out == "-" {
		_, bad := printFiles(s, s.out, f, format, files)
		return bad
	}
	if f.format == "" {
		known := false
		if format, known = render.FormatOfPath(f.out); !known {
			return usageError(fmt.Errorf("-o %s: no format is known by its suffix", f.out), "use .txt, .json, .jsonl, .md or .csv, or give --format")
		}
	}
	if err := session.CheckWritable(f.out); err != nil {
		return err
	}
	var bad error
	err = session.ReplaceFile(f.out, func(w *os.File) error {
		var shown bool
		if shown, bad = printFiles(s, w, f, format, files); !shown {
			return bad // a file with nothing in it would replace one with something
		}
		return nil
	})
	if err != nil && bad == nil {
		return failed(fmt.Errorf("-o: %w", err), "")
	}
	return bad
}

// printFiles reports whether anything was shown, beside what was wrong.
func printFiles(s streams, w io.Writer, f *showFlags, format render.Format, files []string) (shown bool, bad error) {
	for _, path := range files {
		if shown && (format == render.Text || format == render.Markdown) {
			fmt.Fprintln(w)
		}
		ok, err := printFile(s, w, f, format, path)
		if err != nil {
			printError(s.err, nil, err)
			bad = exit.Silent(exit.Failure)
		}
		shown = shown || ok
	}
	return shown, bad
}

// stdinName is standard input in messages.
const stdinName = "standard input"

func printFile(s streams, w io.Writer, f *showFlags, format render.Format, path string) (shown bool, err error) {
	r := s.in
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return false, usageError(err, "")
		}
		defer file.Close()
		r = file
	} else {
		path = stdinName
	}
	var sum *result.Result
	if format == render.JSONL {
		sum, err = copyRecord(w, r, path)
	} else {
		sum, err = result.Read(r, path)
	}
	if sum.Run == nil && err != nil {
		return false, recordError(err)
	}
	if format != render.JSONL {
		none := (*render.FormatError)(nil)
		if e := f.show(w, format, sum, path); errors.As(e, &none) {
			return false, failed(fmt.Errorf("%s: %w", path, none), "use "+none.Others())
		} else if e != nil {
			return true, failed(e, "")
		}
	}
	return true, checkWhole(s.err, sum, path, err)
}

// checkWhole returns the error of a damaged record that has been shown as far as it goes.
// One that a killed run left behind is no error: a warning says that it was cut off.
func checkWhole(stderr io.Writer, sum *result.Result, path string, err error) error {
	cut := (*record.TruncatedError)(nil)
	switch {
	case err != nil && !(errors.As(err, &cut) && onlyError(err)):
		return recordError(err)
	case err != nil:
		exit.Message(stderr, "warning", fmt.Sprintf("%v; the lines before it were read", cut))
	case sum.End == nil:
		exit.Message(stderr, "warning", path+": the run was cut off: its record has no end")
	default:
		return nil
	}
	if hint := resumeHint(sum.Run, path); hint != "" {
		exit.Message(stderr, "hint", hint)
	}
	return nil
}

// onlyError reports whether err joins no other error to its first.
func onlyError(err error) bool {
	m, joined := err.(interface{ Unwrap() []error })
	return !joined || len(m.Unwrap()) == 1
}

// resumeHint says how a run that was cut off goes on; "" if it cannot.
func resumeHint(run *record.Run, path string) string {
	if k := record.KindOf(run); path == stdinName || k != record.KindBench && (k != record.KindAsm || len(run.Config.Packages) == 0) {
		return ""
	}
	return "go on with it: tare bench --resume " + path
}

// copyRecord copies a record and says what is in it. What is none is found out
// before a byte of it is copied.
func copyRecord(w io.Writer, r io.Reader, path string) (*result.Result, error) {
	var head bytes.Buffer
	copied := &diverted{&head}
	in := record.NewReader(io.TeeReader(r, copied), path)
	b := result.NewBuilder()
	first, err := in.Next()
	if err != nil {
		return b.Result(), err
	}
	b.Add(first)
	if _, err := w.Write(head.Bytes()); err != nil {
		return b.Result(), err
	}
	copied.Writer = w
	err = b.ReadAll(in)
	return b.Result(), err
}

// diverted is a writer that can be exchanged.
type diverted struct{ io.Writer }

// recordError gives a hint for what is wrong with a record file.
func recordError(err error) error {
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
	if m, ok := err.(interface{ Unwrap() []error }); ok && len(m.Unwrap()) > 1 {
		err = fmt.Errorf("%w (and %d more)", m.Unwrap()[0], len(m.Unwrap())-1)
	}
	return failed(err, hint)
}

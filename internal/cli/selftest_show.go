package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/aatest"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// withFrom are the flags that do not change what is measured.
var withFrom = []string{"from", "format", "strict"}

// again prints a self-test that was recorded.
func (f *selftestFlags) again(cmd *cobra.Command, s streams, args []string) error {
	if len(args) > 0 {
		return usageError(fmt.Errorf("--from %s measures nothing; leave out %s", f.from, strings.Join(args, " ")), "")
	}
	var others, wrong []string
	cmd.Flags().Visit(func(fl *pflag.Flag) {
		if !among(withFrom, fl.Name) {
			others = append(others, "--"+fl.Name)
		}
	})
	if len(others) > 0 {
		return usageError(fmt.Errorf("--from %s measures nothing; leave out %s", f.from, strings.Join(others, ", ")), "")
	}
	f.checkShow(func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) })
	if len(wrong) > 0 {
		return usageError(errors.New(strings.Join(wrong, "; ")), "")
	}
	sum, err := readRecord(s.in, f.from)
	if sum.Run == nil || sum.Selftest == nil {
		return f.noSelftest(sum, err)
	}
	if e := f.write(s.out, render.Format(f.format), sum.Selftest); e != nil {
		return failed(e, "")
	}
	if err := checkWhole(s.err, sum, titleOf(f.from), err); err != nil {
		return err
	}
	return f.judge(s.err, sum.Selftest, 0)
}

func among(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// noSelftest is the error of a file that --from cannot print.
func (f *selftestFlags) noSelftest(sum *result.Result, err error) error {
	not := (*record.NotRecordError)(nil)
	switch {
	case errors.As(err, &not):
		return failed(err, "records of self-tests are written by tare selftest -o FILE.jsonl")
	case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return usageError(err, "")
	case sum.Run == nil && err != nil:
		return recordError(err)
	}
	return failed(fmt.Errorf("%s: %w", titleOf(f.from), result.ErrNoSelftest), "tare report prints records of all verbs")
}

// conclude prints the result of a run and decides the exit code.
func (f *selftestFlags) conclude(t *selftestRun, r *aatest.Result) error {
	write := func(w io.Writer, format string) error { return f.write(w, render.Format(format), r) }
	if err := t.exporter.Write(t.out, f.format, t.recorder.Path(), write); err != nil {
		return err
	}
	if t.config.Signals.Caught() {
		t.config.Progress.Note("partial result; its records are in %s", t.recorder.Path())
		return t.config.Signals.ExitError()
	}
	return f.judge(t.err, r, t.broken)
}

func (f *selftestFlags) write(w io.Writer, format render.Format, r *aatest.Result) error {
	if format == render.JSON {
		return r.WriteJSON(w)
	}
	return r.WriteText(w, aatest.TextOptions{UTF8: utf8Locale()})
}

// judge returns the exit code of a result. broken is the number of packages that
// could not be built.
func (f *selftestFlags) judge(stderr io.Writer, r *aatest.Result, broken int) error {
	var failures []string
	for _, b := range r.Benchmarks {
		if b.Failed > 0 {
			failures = append(failures, b.Name)
		}
	}
	switch {
	case len(failures) > 0:
		exit.Message(stderr, "error", fmt.Sprintf("%d of %d benchmarks failed in some process: %s", len(failures), len(r.Benchmarks), strings.Join(failures, ", ")))
		return exit.Silent(exit.Failure)
	case broken > 0:
		return exit.Silent(exit.Failure)
	case f.strict && r.Verdict.Fit != aatest.Fit:
		exit.Message(stderr, "error", "--strict: not shown to be fit: "+strings.Join(r.Verdict.Reasons, "; "))
		return exit.Silent(exit.Untrusted)
	}
	return nil
}

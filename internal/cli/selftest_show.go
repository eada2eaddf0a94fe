package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/numbers/aatest"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/record"
)

// withShow are the flags that do not change what is measured.
var withShow = []string{"show", "output", "format", "color", "verbose", "strict"}

// again prints a self-test that was recorded.
func (f *selftestFlags) again(cmd *cobra.Command, s streams, args []string) error {
	if len(args) > 0 {
		return usageError(fmt.Errorf("--show %s only prints a record and cannot be used with %s", f.show, strings.Join(args, " ")), "")
	}
	others := flags.Given(cmd.Flags(), withShow...)
	if len(others) > 0 {
		return usageError(fmt.Errorf("--show %s only prints a record and cannot be used with %s", f.show, strings.Join(others, ", ")), "")
	}
	format, err := f.output.check()
	if err != nil {
		return err
	}
	if err := f.output.CheckCopy(string(format), []string{f.show}); err != nil {
		return err
	}
	res, err := readRecord(s.in, f.show)
	if res.Run == nil || res.Selftest == nil {
		return f.noSelftest(res, err)
	}
	if e := f.output.Show(s.out, string(format), f.show, f.output.result(res)); e != nil {
		return failed(e, "")
	}
	f.printNotes(s, res)
	if err := checkWhole(s.err, res, titleOf(f.show), err); err != nil {
		return err
	}
	return f.judge(s.err, res.Selftest, 0)
}

// noSelftest returns the error of a file that --show cannot print.
func (f *selftestFlags) noSelftest(res *result.Result, err error) error {
	not := (*record.NotRecordError)(nil)
	switch {
	case errors.As(err, &not):
		return failed(err, "records of self-tests are written by tare selftest -o FILE.jsonl")
	case errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return usageError(err, "")
	case res.Run == nil && err != nil:
		return recordError(err)
	}
	return failed(fmt.Errorf("%s: %w", titleOf(f.show), result.ErrNoSelftest), "tare report prints records of all verbs")
}

// conclude prints the result of a run and decides the exit code.
func (f *selftestFlags) conclude(t *selftestRun, res *result.Result) error {
	if err := f.output.Write(t.out, string(t.format), t.recorder.Path(), f.output.result(res)); err != nil {
		return err
	}
	f.printNotes(t.streams, res)
	if t.config.Signals.Caught() {
		t.config.Progress.Note("partial result; its records are in %s", t.recorder.Path())
		return t.config.Signals.ExitError()
	}
	return f.judge(t.err, res.Selftest, t.broken)
}

// printNotes prints the warnings of the run under -v.
func (f *selftestFlags) printNotes(s streams, res *result.Result) {
	if f.output.verbose {
		printWarnings(s.err, warningsOf(res), diagnosis.Selftest)
	}
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
	if err := reportFailures(stderr, failures, len(r.Benchmarks), broken); err != nil {
		return err
	}
	if f.strict && r.Verdict.Fit != aatest.Fit {
		exit.Message(stderr, "error", "--strict: not shown to be fit: "+strings.Join(r.Verdict.Reasons, "; "))
		return exit.Silent(exit.Untrusted)
	}
	return nil
}

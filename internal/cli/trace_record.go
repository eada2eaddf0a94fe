package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/render/calls"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/session"
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

// watchRecord is a record of programs or benchmarks, with its name for people.
type watchRecord struct {
	path  string // as it was typed
	title string // of the file
	res   *result.Result
}

// ofRecord shows what a record holds.
func (f *watchFlags) ofRecord(st streams, args []string, views func(*watchRecord) ([]*render.View, error)) error {
	if len(args) > 1 {
		return usageError(fmt.Errorf("%s: one record at a time", strings.Join(args, " ")), "")
	}
	res, bad := readRecord(st.in, args[0])
	if res.Run == nil {
		return noRecord(args[0], bad)
	}
	r := &watchRecord{path: args[0], title: titleOf(args[0]), res: res}
	shown, err := views(r)
	if err != nil {
		if exit.As(err) == nil {
			err = failed(fmt.Errorf("%s: %w", r.title, err), "")
		}
		return err
	}
	if args[0] == "-" && (f.out.format == render.JSONL || f.out.Records != "") {
		return usageError(errors.New("the records came through standard input and are gone"), "name the file")
	}
	f.out.record = args[0]
	if err := f.out.printAgain(st, &f.show, shown); err != nil {
		return err
	}
	return checkWhole(st.err, res, r.title, bad)
}

// readRecord reads a record as far as it goes; - is standard input.
func readRecord(stdin io.Reader, path string) (*result.Result, error) {
	if path == "-" {
		return result.Read(stdin, stdinName)
	}
	file, err := os.Open(path)
	if err != nil {
		return &result.Result{}, err
	}
	defer file.Close()
	return result.Read(file, path)
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

// damaged reports whether one of the attachments cannot be read.
func (r *watchRecord) damaged(attachments ...string) bool {
	return slices.ContainsFunc(r.res.Damages, func(d result.Damage) bool { return slices.Contains(attachments, d.Attachment) })
}

// nothing is the error about a record without what a verb shows: which one shows it.
func (r *watchRecord) nothing(verb string) error {
	path := command.Join([]string{r.path})
	hint := "tare report " + path + " shows what is there"
	switch {
	case len(r.res.Calls) > 0:
		hint = "tare trace " + path + " shows what is there"
	case len(r.res.Stacks) > 0:
		hint = "tare sample " + path + " shows what is there"
	case len(r.res.Listings) > 0:
		hint = "tare asm " + path + " shows what is there"
	}
	return failed(fmt.Errorf("%s: tare %s: %w", r.title, verb, errNothingWatched), hint)
}

// traceViews are the traced programs of a record, and its benchmarks that match.
func traceViews(r *watchRecord, bench string, cfg calls.Config) (_ []*render.View, err error) {
	if len(r.res.Calls) == 0 && !r.damaged(record.AttachTrace) {
		return nil, r.nothing(traceName)
	}
	switch record.KindOf(r.res.Run) {
	case record.KindTrace, record.KindContrast:
		if bench != "" {
			return nil, usageError(fmt.Errorf("%s: --bench: it is of one program", r.title), "it chooses from a record of benchmarks")
		}
	}
	if r.res.Calls, err = chosen(r.title, r.res.Calls, "traced", bench); err != nil {
		return nil, err
	}
	return render.CallsViews(r.res, cfg)
}

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

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/benchtext"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

func titleOf(path string) string {
	if path == "-" {
		return input.Stdin
	}
	return filepath.Base(path)
}

// missingFile returns the error about what was typed in the place of a package, and is none by its
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
var fileSuffixes = []string{".jsonl", tempdir.PartialSuffix, ".json", ".pprof", ".prof", ".pb.gz", ".txt", ".data"}

// refuseFlags refuses flags that mean nothing for what was asked.
func refuseFlags(cmd *cobra.Command, why string, names ...string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return usageError(fmt.Errorf("--%s cannot be used here: %s", name, why), "leave it out")
		}
	}
	return nil
}

// programRecord is a record of programs or benchmarks, with its name for people.
type programRecord struct {
	path  string // as it was typed
	title string // of the file
	res   *result.Result
}

// showRecord shows what a record holds.
func (f *programFlags) showRecord(st streams, args []string, views func(*programRecord) ([]*render.View, error)) error {
	if len(args) > 1 {
		return usageError(fmt.Errorf("%s: one record at a time", strings.Join(args, " ")), "")
	}
	if err := f.output.CheckCopy(string(f.shown), args); err != nil {
		return err
	}
	res, bad := readRecord(st.in, args[0])
	if res.Run == nil {
		return noRecord(args[0], bad)
	}
	r := &programRecord{path: args[0], title: titleOf(args[0]), res: res}
	shown, err := views(r)
	if err != nil {
		if exit.As(err) == nil {
			err = failed(fmt.Errorf("%s: %w", r.title, err), "")
		}
		return err
	}
	if err := f.output.Show(st.out, string(f.shown), args[0], f.output.views(shown)); err != nil {
		return err
	}
	return checkWhole(st.err, res, r.title, bad)
}

// readRecord reads a record as far as it goes; - is standard input.
func readRecord(stdin io.Reader, path string) (*result.Result, error) {
	in, err := input.Open(path, stdin)
	if err != nil {
		return &result.Result{}, err
	}
	defer in.Close()
	return result.Read(in, in.Name)
}

// noRecord is about a file that is none: it may be a program.
func noRecord(path string, err error) error {
	st, e := os.Stat(path)
	if n := (*record.NotRecordError)(nil); e == nil && st.Mode()&0o111 != 0 && errors.As(err, &n) {
		if filepath.Base(path) == path {
			path = "./" + path
		}
		return failed(err, "a program that is there already comes behind --: tare sample -- "+shellwords.Join([]string{path}))
	}
	return recordError(err)
}

// errNotThere is about a record without what a verb shows.
var errNotThere = errors.New("nothing of the kind is in it")

// damaged reports whether one of the attachments cannot be read.
func (r *programRecord) damaged(attachments ...string) bool {
	return slices.ContainsFunc(r.res.Damages, func(d result.Damage) bool { return slices.Contains(attachments, d.Attachment) })
}

// nothing returns the error about a record without what a verb shows: which one shows it.
func (r *programRecord) nothing(verb string) error {
	path := shellwords.Join([]string{r.path})
	hint := "tare report " + path + " shows what is there"
	switch {
	case len(r.res.Calls) > 0:
		hint = "tare trace " + path + " shows what is there"
	case len(r.res.Stacks) > 0:
		hint = "tare sample " + path + " shows what is there"
	case len(r.res.Listings) > 0:
		hint = "tare asm " + path + " shows what is there"
	}
	return failed(fmt.Errorf("%s: tare %s: %w", r.title, verb, errNotThere), hint)
}

// chosen returns the cases that --bench names, and an error that names what there is if it
// names none. Such an error begins with file, if there is one; done is what was done to the
// cases, "sampled".
func chosen[T any](file string, cases []result.Profiled[T], done, pattern string) ([]result.Profiled[T], error) {
	match, err := benchtext.MatchName(pattern)
	if err != nil {
		return nil, usageError(fmt.Errorf("--bench: %w", err), "")
	}
	var names []string
	var out []result.Profiled[T]
	for _, c := range cases {
		if names = append(names, c.Name); match(c.Name) {
			out = append(out, c)
		}
	}
	if len(out) > 0 || len(cases) == 0 {
		return out, nil
	}
	err = fmt.Errorf("nothing that was %s matches --bench %q", done, pattern)
	if file != "" {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return nil, failed(err, benchtext.Nearest(pattern, names))
}

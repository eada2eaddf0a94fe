package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/internal/measure/historyrun"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/runs"
)

const historyAddLong = `tare history add keeps the results of records of tare bench: the value of each fork,
for each unit. A record of several sides has an entry for each side that is a commit.

A record says itself which commit it is of. --commit says it for records that do not,
and for those of a working tree whose changes do not matter.`

// historyAddFlags are the flags of tare history add.
type historyAddFlags struct {
	store   storeFlags
	commit  string
	machine string
}

func newHistoryAdd(s streams) *cobra.Command {
	f := &historyAddFlags{}
	return f.store.verb(s, verb{
		use:   "add [flags] RECORD...",
		short: "Keep the results of records of tare bench",
		long:  historyAddLong,
		example: `  tare history add new.jsonl
  tare history add --push ab.jsonl
  tare history add --store ../bench-history --machine ci-large new.jsonl`,
		register: func(fl *pflag.FlagSet) {
			fl.StringVar(&f.commit, "commit", "", "the `revision` that the records without sides are of")
			registerMachineName(fl, &f.machine)
			f.store.register(fl, true)
		},
		run: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), s, args) },
	})
}

// registerMachineName adds the flag that names this machine.
func registerMachineName(fl *pflag.FlagSet, name *string) {
	fl.StringVar(name, "machine", "", "`name` of the machine: entries of one name are compared (default: a digest of its processor, memory and kernel)")
}

func (f *historyAddFlags) run(ctx context.Context, s streams, files []string) error {
	ctx = orBackground(ctx)
	if len(files) == 0 && !f.store.push {
		return usageError(errors.New("history add needs a record"), "tare bench -o new.jsonl && tare history add new.jsonl")
	}
	store, err := f.store.open(ctx)
	if err != nil {
		return err
	}
	o := historyrun.Options{Dir: ".", Machine: f.machine}
	if f.commit != "" {
		if o.Commit, err = resolveCommit(ctx, f.commit); err != nil {
			return err
		}
	}
	var entries []*history.Entry
	for _, path := range files {
		more, err := f.read(ctx, s, path, store, o)
		if err != nil {
			return err
		}
		entries = append(entries, more...)
	}
	added, err := store.Add(ctx, entries)
	if err != nil {
		return failed(fmt.Errorf("%s: %w", nameOfStore(store), err), "")
	}
	fmt.Fprintf(s.out, "%s: %s added", nameOfStore(store), entriesOf(added))
	if known := len(entries) - added; known > 0 {
		fmt.Fprintf(s.out, ", %d there already or removed once", known)
	}
	fmt.Fprintln(s.out)
	return f.store.send(ctx, store)
}

// entriesOf returns "1 entry" or "2 entries".
func entriesOf(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return units.Count(n) + " entries"
}

// read returns the entries of a record file. It fails if there are none.
func (f *historyAddFlags) read(ctx context.Context, s streams, path string, store history.Store, o historyrun.Options) (entries []*history.Entry, err error) {
	in, err := input.Open(path, s.in)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var why string
	for _, r := range runs.Read(in, in.Name) {
		if r.CopyOf != 0 {
			continue
		}
		if r.Err != nil {
			return nil, recordError(r.Err)
		}
		more, skipped := historyrun.Entries(ctx, r.Result, r.Bins(), o)
		for _, x := range skipped {
			why = x.Why
			if x.Side != "" {
				why = "side " + x.Side + " " + x.Why
				exit.Message(s.err, "warning", in.Name+": "+why)
			}
		}
		for _, e := range more {
			if e.Dirty && store.Clean() {
				why = (&history.DirtyError{Commit: e.Commit}).Error()
				exit.Message(s.err, "warning", in.Name+": "+why+", and is left out")
				continue
			}
			entries = append(entries, e)
		}
	}
	if len(entries) == 0 {
		return nil, failed(fmt.Errorf("%s: nothing to add: %s", in.Name, why), "--commit REV says of which commit it is; --store DIR keeps changes that are not committed, too")
	}
	return entries, nil
}

// resolveCommit returns the commit that a revision of the repository names.
func resolveCommit(ctx context.Context, revision string) (string, error) {
	repo, err := build.FindRepository(ctx, ".")
	if err == nil {
		revision, err = repo.Resolve(ctx, revision)
	}
	if err != nil {
		return "", usageError(err, "")
	}
	return revision, nil
}

// orBackground returns a context for commands that are run without one.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

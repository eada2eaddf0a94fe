package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/result/history"
)

const historyPruneLong = `tare history prune removes entries. A small mark stays for each, so that they do not
come back from a remote repository that still has them. Entries must fit all that is
asked for.

--compact replaces the commits of the ref by one. Only then does git free the space of
what was removed, when it collects its garbage. With --push the remote repository is
compacted as well; others join what they have with it when they fetch.`

// historyPruneFlags are the flags of tare history prune.
type historyPruneFlags struct {
	store     storeFlags
	machine   string
	elsewhere bool
	branch    string
	compact   bool
	dryRun    bool
}

func newHistoryPrune(s streams) *cobra.Command {
	f := &historyPruneFlags{}
	return f.store.verb(s, verb{
		use:   "prune [flags] [COMMIT...]",
		short: "Remove entries from the history",
		long:  historyPruneLong,
		example: `  tare history prune 1a2b3c4d
  tare history prune --elsewhere --dry-run
  tare history prune --machine old-server --compact --push`,
		register: func(fl *pflag.FlagSet) {
			fl.StringVar(&f.machine, "machine", "", "entries of this `machine`, by its name or the first digits of its digest")
			fl.BoolVar(&f.elsewhere, "elsewhere", false, "entries of commits that are not on the branch")
			fl.StringVar(&f.branch, "branch", "HEAD", "the `revision` of --elsewhere")
			fl.BoolVar(&f.compact, "compact", false, "replace the commits of the ref by one")
			flags.DryRun(fl, &f.dryRun)
			fl.Lookup("dry-run").Usage = "list what would be removed, and remove nothing"
			f.store.register(fl, true)
		},
		run: func(cmd *cobra.Command, args []string) error { return f.run(orBackground(cmd.Context()), s, args) },
	})
}

func (f *historyPruneFlags) run(ctx context.Context, s streams, commits []string) error {
	chosen := len(commits) > 0 || f.machine != "" || f.elsewhere
	if !chosen && !f.compact {
		return usageError(errors.New("history prune needs to know which entries"), "name commits, or use --machine or --elsewhere; --compact alone removes none")
	}
	store, err := f.store.open(ctx)
	if err != nil {
		return err
	}
	if _, ok := store.(*history.Ref); f.compact && !ok {
		return usageError(errors.New("--compact: a folder has no commits"), "leave it out")
	}
	if chosen {
		if err := f.prune(ctx, s, store, commits); err != nil || f.dryRun {
			return err
		}
	}
	return f.finish(ctx, store)
}

// prune removes the entries that fit.
func (f *historyPruneFlags) prune(ctx context.Context, s streams, store history.Store, commits []string) error {
	there, err := f.onBranch(ctx)
	if err != nil {
		return err
	}
	var files []history.File
	err = readHistory(ctx, s, store, nil, func(file history.File, e *history.Entry) {
		if fitsCommit(e, commits) && strings.HasPrefix(e.Machine, f.machine) && !there(e) {
			files = append(files, file)
		}
	})
	switch {
	case err != nil:
		return err
	case len(files) == 0:
		return failed(errors.New("no entry fits"), "tare history list prints all")
	case f.dryRun:
		for _, x := range files {
			fmt.Fprintf(s.out, "%s %s\n", x.Commit, x.Run)
		}
		return nil
	}
	if err := store.Prune(ctx, files); err != nil {
		return failed(fmt.Errorf("%s: %w", nameOfStore(store), err), "")
	}
	fmt.Fprintf(s.out, "%s: %s removed\n", nameOfStore(store), entriesOf(len(files)))
	return nil
}

func fitsCommit(e *history.Entry, commits []string) bool {
	for _, c := range commits {
		if strings.HasPrefix(e.Commit, strings.ToLower(c)) {
			return true
		}
	}
	return len(commits) == 0
}

// onBranch returns what reports whether an entry is of the branch, so that --elsewhere keeps it. Without that flag
// none is.
func (f *historyPruneFlags) onBranch(ctx context.Context) (func(*history.Entry) bool, error) {
	if !f.elsewhere {
		return func(*history.Entry) bool { return false }, nil
	}
	line, err := firstParents(ctx, f.branch)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, c := range line {
		known[c.Hash], known[c.Tree] = true, true
	}
	return func(e *history.Entry) bool { return known[e.Commit] || e.Tree != "" && known[e.Tree] }, nil
}

// finish compacts and pushes.
func (f *historyPruneFlags) finish(ctx context.Context, store history.Store) error {
	r, ok := store.(*history.Ref)
	if !ok || !f.compact {
		return f.store.send(ctx, store)
	}
	if f.store.push {
		if err := r.CompactRemote(ctx, f.store.remote); err != nil {
			return failed(fmt.Errorf("--push to %s: %w", f.store.remote, err), "")
		}
		return nil
	}
	if err := r.Compact(ctx); err != nil {
		return failed(fmt.Errorf("%s: %w", nameOfStore(store), err), "")
	}
	return nil
}

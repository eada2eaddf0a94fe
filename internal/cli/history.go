package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/git"
	"github.com/tarebench/tare/internal/base/tempdir"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/cli/teamfile"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
)

const historyLong = `tare history keeps what was measured of commits, and shows since when a benchmark is
slower.

The store is the ref refs/tare/history of the git repository around the current
directory: it is in no branch and no working tree, and neither git clone nor git fetch
brings it. --fetch and --push exchange it with a remote repository; several may push at
once. --store DIR is a folder instead, which also keeps what was measured of working
trees with changes.

Only what one machine measured with one toolchain and the same settings is compared.`

func newHistory(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Keep figures of commits, and show since when one is slower",
		Long:  historyLong,
		Example: `  tare bench -o new.jsonl ./... && tare history add new.jsonl
  tare history run --since v1.2.0 --every 5 ./...
  tare history show
  tare history show -o decode.svg Decode/large`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			hint := "tare history --help"
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "did you mean: tare history " + near[0]
			}
			return usageError(fmt.Errorf("history has no verb %q", args[0]), hint)
		},
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.AddCommand(newHistoryAdd(s), newHistoryList(s), newHistoryShow(s), newHistoryConfirm(s), newHistoryRun(s), newHistoryPrune(s))
	return cmd
}

// storeFlags say where the history is.
type storeFlags struct {
	store  string
	remote string
	fetch  bool
	push   bool
	team   teamFlags
}

// verb returns the command of a verb that uses the store. Flags that were not given have what the team's file says.
func (f *storeFlags) verb(s streams, v verb) *cobra.Command {
	register, run := v.register, v.run
	v.register = func(fl *pflag.FlagSet) {
		register(fl)
		f.team.register(fl)
	}
	v.run = func(cmd *cobra.Command, args []string) error {
		if err := f.applyTeam(cmd); err != nil {
			return err
		}
		if f.team.show {
			return f.team.print(s, cmd.Flags())
		}
		return run(cmd, args)
	}
	return v.command()
}

// applyTeam gives flags that were not given what the team's file says. A folder in the file is relative to it. The
// budget of a comparison is none of a history.
func (f *storeFlags) applyTeam(cmd *cobra.Command) error {
	f.team.table = teamfile.TableHistory
	err := f.team.apply(cmd, func(flag string) bool {
		return flag == "budget" && (f.team.file == nil || f.team.file.Tables[teamfile.TableHistory].Values["budget"] == "")
	})
	if err == nil && f.store != refStore && f.team.fromFile("store") {
		if f.store, err = f.inModule(f.store); err != nil {
			return usageError(fmt.Errorf("%s: %w", f.team.file.Path, err), "a folder elsewhere is named on the command line: --store DIR")
		}
	}
	if err == nil && strings.HasPrefix(f.remote, "-") {
		return usageError(fmt.Errorf("--remote %s: is no name and no URL", f.remote), "")
	}
	return err
}

// inModule returns the path of a folder that the team's file names. It fails if that, or a link on the way, leads out
// of the directory of the file: the link may be a part of the repository.
func (f *storeFlags) inModule(store string) (string, error) {
	path := filepath.Join(f.team.file.Dir, store)
	module, err := filepath.EvalSymlinks(f.team.file.Dir)
	if err != nil {
		return "", err
	}
	if module, err = filepath.Abs(module); err != nil {
		return "", err
	}
	real, err := tempdir.FollowLinks(filepath.Join(module, store))
	if err != nil {
		return "", err
	}
	if in, err := filepath.Rel(module, real); err != nil || !filepath.IsLocal(store) || !filepath.IsLocal(in) {
		return "", fmt.Errorf("store %q lies outside of the module", store)
	}
	return path, nil
}

// refStore is the value of --store for the ref of the repository.
const refStore = "ref"

func (f *storeFlags) register(fl *pflag.FlagSet, writes bool) {
	fl.StringVar(&f.store, "store", refStore, "ref, which is refs/tare/history of the repository, or a `folder`")
	fl.StringVar(&f.remote, "remote", "origin", "the remote repository of --fetch and --push, by its `name` or URL")
	fl.BoolVar(&f.fetch, "fetch", false, "first get what the remote repository has of the history")
	if writes {
		fl.BoolVar(&f.push, "push", false, "then send the history to the remote repository")
	}
	flags.Offer(fl, "store", refStore)
}

// open returns the store, after it has fetched what was asked for.
func (f *storeFlags) open(ctx context.Context) (history.Store, error) {
	if f.store != refStore {
		if f.fetch || f.push {
			return nil, usageError(fmt.Errorf("--store %s: a folder has no remote repository for --fetch and --push", f.store), "leave out --store, or exchange the folder by other means")
		}
		if st, err := os.Stat(f.store); err == nil && !st.IsDir() {
			return nil, usageError(fmt.Errorf("--store %s: is no folder", f.store), "")
		}
		return history.OpenFolder(f.store), nil
	}
	s, err := history.OpenRef(ctx, ".")
	if err != nil {
		return nil, historyError(err, "not in a git repository, whose ref would be the store", "name a folder: --store DIR")
	}
	if f.fetch {
		if err := s.Fetch(ctx, f.remote); err != nil {
			return nil, failed(fmt.Errorf("--fetch from %s: %w", f.remote, err), "--remote names another repository")
		}
	}
	return s, nil
}

// historyError returns the error of a call of git: that git is missing, or else what.
func historyError(err error, what, hint string) error {
	if errors.Is(err, exec.ErrNotFound) {
		return failed(errors.New("git is not in PATH"), "name a folder: --store DIR")
	}
	return usageError(errors.New(what), hint)
}

// send pushes the history if that was asked for.
func (f *storeFlags) send(ctx context.Context, s history.Store) error {
	if r, ok := s.(*history.Ref); ok && f.push {
		if err := r.Push(ctx, f.remote); err != nil {
			return failed(fmt.Errorf("--push to %s: %w", f.remote, err), "what was added is here: tare history add --push sends it another time")
		}
	}
	return nil
}

// warnDamage names what of a store could not be read.
func warnDamage(s streams, store history.Store, damage []history.Damage) {
	const most = 5
	for i, d := range damage {
		if i == most {
			exit.Message(s.err, "warning", fmt.Sprintf("%s: %d more entries cannot be read", store, len(damage)-most))
			return
		}
		exit.Message(s.err, "warning", fmt.Sprintf("%s: %s: %s", store, d.Path, d.Why))
	}
}

// firstParents returns the commits of a revision for verbs that need a repository.
func firstParents(ctx context.Context, revision string) ([]trend.Commit, error) {
	line, err := trend.FirstParents(ctx, ".", revision)
	if failedCall := (*git.Error)(nil); errors.As(err, &failedCall) {
		return nil, usageError(fmt.Errorf("%s: %w", revision, err), "name a branch, a tag or a commit of the repository around the current directory")
	}
	return line, err
}

// readHistory reads all entries of a store that keep keeps, and warns about those that cannot be read.
func readHistory(ctx context.Context, s streams, store history.Store, keep func(history.Key) bool, each func(history.File, *history.Entry)) error {
	files, damage, err := store.List(ctx)
	if err != nil {
		warnDamage(s, store, damage)
		return failed(err, "")
	}
	more, err := store.Read(ctx, files, keep, each)
	warnDamage(s, store, append(damage, more...))
	if err != nil {
		return failed(err, "")
	}
	if len(files) == 0 && len(damage) == 0 {
		return failed(fmt.Errorf("%s holds nothing yet", nameOfStore(store)), "tare history add FILE.jsonl, or tare history run --since REV; --fetch gets what a remote repository has")
	}
	return nil
}

func nameOfStore(store history.Store) string {
	if _, ok := store.(*history.Folder); ok {
		return filepath.Clean(store.String())
	}
	return store.String()
}

package history

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/git"
)

// Fetch joins the history of a remote repository to this one. Nothing that is here is removed, but for what was pruned
// there. A remote without a history is no error.
func (s *Ref) Fetch(ctx context.Context, remote string) error {
	theirs, err := s.fetch(ctx, remote)
	if err != nil || theirs == "" {
		return err
	}
	_, err = s.join(ctx, theirs)
	return err
}

// tracking returns the ref that holds what was fetched.
func (s *Ref) tracking(remote string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_' // of a URL
	}, remote)
	return "refs/tare/remote/" + name
}

// fetch returns the tip of the remote's ref, whose objects are here then; "" if there is none.
func (s *Ref) fetch(ctx context.Context, remote string) (string, error) {
	there, err := s.git(ctx, nil, "ls-remote", "--end-of-options", remote, s.name)
	if err != nil || strings.TrimSpace(there) == "" {
		return "", err
	}
	if _, err := s.git(ctx, nil, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--end-of-options", remote, "+"+s.name+":"+s.tracking(remote)); err != nil {
		return "", err
	}
	return s.tip(ctx, s.tracking(remote))
}

// join has the ref hold what it holds and what the commit theirs holds, as a descendant of theirs or, where theirs adds
// nothing, as it is. It returns the tip.
func (s *Ref) join(ctx context.Context, theirs string) (tip string, err error) {
	err = s.change(ctx, func(old string) (string, error) {
		tip = old
		if old == theirs || old != "" && s.descends(ctx, old, theirs) {
			return "", nil
		}
		if tip, err = s.union(ctx, theirs, old); err != nil {
			return "", err
		}
		return tip, nil
	})
	return tip, err
}

// descends reports whether a commit has another among its ancestors.
func (s *Ref) descends(ctx context.Context, commit, ancestor string) bool {
	_, err := s.git(ctx, nil, "merge-base", "--is-ancestor", ancestor, commit)
	return err == nil
}

// union returns a commit on top of theirs that holds what both hold; theirs itself where ours adds nothing. The history of ours
// is left behind, so that what was compacted stays so.
func (s *Ref) union(ctx context.Context, theirs, ours string) (string, error) {
	base, err := s.paths(ctx, theirs)
	if err != nil {
		return "", err
	}
	more, err := s.paths(ctx, ours)
	if err != nil {
		return "", err
	}
	all := maps.Clone(base)
	var lines []string
	for path, blob := range more {
		if all[path] == "" {
			all[path] = blob
			lines = append(lines, indexLine(blob, path))
		}
	}
	for path := range all {
		f, gone, ok := parsePath(path)
		if ok && !gone && all[f.tombstone()] != "" {
			lines = append(lines, removeLine(path, len(theirs)))
			delete(all, path)
		}
	}
	if maps.Equal(all, base) {
		return theirs, nil
	}
	slices.SortFunc(lines, byAction)
	return s.commit(ctx, theirs, lines, []string{theirs}, "join")
}

// byAction sorts what is removed behind what is added.
func byAction(a, b string) int { return -strings.Compare(a, b) }

// Push sends the history to a remote repository. If others sent theirs meanwhile, it is joined with theirs and sent again, up
// to 30 times.
func (s *Ref) Push(ctx context.Context, remote string) error {
	return s.send(ctx, remote, func(tip, _ string) ([]string, error) { return []string{remote, tip + ":" + s.name}, nil })
}

// send joins the history with the remote's and pushes with the arguments that args makes of both tips, until the remote takes
// it. theirs is "" where the remote has no history.
func (s *Ref) send(ctx context.Context, remote string, args func(tip, theirs string) ([]string, error)) error {
	var last error
	for try := range tries {
		theirs, err := s.fetch(ctx, remote)
		if err != nil {
			return err
		}
		tip := ""
		if theirs == "" {
			tip, err = s.tip(ctx, s.name)
		} else {
			tip, err = s.join(ctx, theirs)
		}
		if err != nil || tip == "" {
			return err
		}
		more, err := args(tip, theirs)
		if err != nil {
			return err
		}
		if _, last = s.git(ctx, nil, append([]string{"push", "--quiet"}, more...)...); last == nil {
			return nil
		}
		if !rejected(last) {
			return last
		}
		if err := waitRandom(ctx, try); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s took none of %d pushes, because others pushed meanwhile: %w", remote, tries, last)
}

// rejected reports whether a push failed because the remote's ref had moved, or was being moved. Where the remote refuses
// pushes for other reasons, another try is refused as well.
func rejected(err error) bool {
	failed := (*git.Error)(nil)
	if !errors.As(err, &failed) {
		return false
	}
	for _, sign := range []string{"[rejected]", "cannot lock ref", "failed to update ref", "incorrect old value"} {
		if strings.Contains(failed.Stderr, sign) {
			return true
		}
	}
	return false
}

// waitRandom waits for up to 50 ms times the number of tries so far, at most for 2 s.
func waitRandom(ctx context.Context, try int) error {
	most := min(time.Duration(try+1)*50*time.Millisecond, 2*time.Second)
	select {
	case <-time.After(rand.N(most)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Compact replaces the commits of the store by one, which holds what they hold. Tombstones stay.
func (s *Ref) Compact(ctx context.Context) error {
	return s.change(ctx, func(old string) (string, error) {
		if old == "" {
			return "", nil
		}
		return s.root(ctx, old)
	})
}

// CompactRemote does so with the store and with that of a remote repository, once they are joined. Others who have the old
// commits join what they hold with the new one when they fetch, and lose nothing.
func (s *Ref) CompactRemote(ctx context.Context, remote string) error {
	var root string
	err := s.send(ctx, remote, func(tip, theirs string) (args []string, err error) {
		root, err = s.root(ctx, tip)
		return []string{"--force-with-lease=" + s.name + ":" + theirs, remote, root + ":" + s.name}, err
	})
	if err != nil || root == "" {
		return err
	}
	_, err = s.join(ctx, root)
	return err
}

// root returns a commit without parents that has the tree of another.
func (s *Ref) root(ctx context.Context, commit string) (string, error) {
	out, err := s.git(ctx, author, "commit-tree", commit+"^{tree}", "-m", "tare history: compact")
	return strings.TrimSpace(out), err
}

package bisectrun

import (
	"context"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/build"
)

// span is the line of commits that is searched: GOOD first, BAD last.
type span struct {
	repo    *build.Repository
	commits []build.Commit
	base    string // the revision typed as GOOD, if its merge base with BAD takes its place
}

// findSpan resolves GOOD and BAD. If GOOD is no ancestor of BAD, their merge base takes its place.
func findSpan(ctx context.Context, c *Config) (*span, error) {
	repo, err := build.FindRepository(ctx, c.Run.Dir)
	if err != nil {
		return nil, usage(err)
	}
	good, err := repo.Resolve(ctx, c.Good)
	if err != nil {
		return nil, usage(err)
	}
	bad, err := repo.Resolve(ctx, c.Bad)
	if err != nil {
		return nil, usage(err)
	}
	s := &span{repo: repo}
	from, err := repo.MergeBase(ctx, good, bad)
	if err != nil {
		return nil, usage(err)
	}
	if from != good {
		s.base = c.Good
		c.Progress.Note("%s is no ancestor of %s; searching from their merge base %s", c.Good, c.Bad, Short(from))
	}
	if s.commits, err = repo.Commits(ctx, from, bad); err != nil {
		return nil, usage(err)
	}
	if len(s.commits) < 2 {
		return nil, exit.Usage(fmt.Errorf("there is no commit between %s and %s", c.Good, c.Bad), "tare bisect GOOD BAD: the older commit, at which the benchmark was as it should be, comes first")
	}
	return s, nil
}

func usage(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return exit.Usage(err, "")
}

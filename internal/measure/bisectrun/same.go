package bisectrun

import (
	"context"
	"time"

	"github.com/tarebench/tare/internal/golang/build"
)

// buildAllWithin is how long it may take to build all commits before the first is measured. Otherwise a commit is built
// when it is to be measured: a search needs 13 … 35 of them.
const buildAllWithin = time.Minute

// joinUnchanged joins commits that change nothing that the test binary contains.
func (s *search) joinUnchanged(ctx context.Context) error {
	var deps []*build.Dependencies
	for _, i := range []int{0, s.bad()} {
		d, err := s.seq.Dependencies(ctx, i)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return nil // the first fork says what is wrong; nothing is joined
		}
		deps = append(deps, d)
	}
	for i, c := range s.commits {
		touched := false
		for _, file := range c.Files {
			touched = touched || deps[0].Contain(file) || deps[1].Contain(file)
		}
		if i > 0 && !touched {
			s.join(i-1, i)
		}
	}
	return nil
}

func (s *search) join(i, j int) {
	s.state.Join(i, j)
	if j == i+1 {
		s.same[j] = true
	}
}

// joinEqual builds commits and joins those with equal binaries: all commits if that does not take long, otherwise the
// two ends, and the others when they are to be measured.
func (s *search) joinEqual(ctx context.Context) error {
	start := time.Now()
	for _, i := range []int{0, s.bad()} {
		if err := s.digest(ctx, i); err != nil {
			return err
		}
	}
	each := time.Since(start) / 2
	var rest []int
	for i := 1; i < s.bad(); i++ {
		if !s.same[i] {
			rest = append(rest, i)
		}
	}
	if each*time.Duration(len(rest)) > buildAllWithin {
		return nil
	}
	for n, i := range rest {
		if s.c.overBudget() {
			return errBudget
		}
		s.c.Progress.Phase("building %s (%d of %d)", Short(s.commits[i].Hash), n+1, len(rest))
		if err := s.digest(ctx, i); err != nil {
			return err
		}
		s.seq.Leave(i)
	}
	return nil
}

// digest builds a commit, and joins it with those that have the same binary and the same files for it to read. One that cannot be
// built is skipped.
func (s *search) digest(ctx context.Context, i int) error {
	if s.hashed[i] || s.same[i] {
		return nil
	}
	s.hashed[i] = true
	sum, err := s.seq.Digest(ctx, i)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		s.skip(i, err.Error())
		return nil
	}
	for j, other := range s.sums {
		if sum != "" && other == sum {
			s.join(min(i, j), max(i, j))
		}
	}
	s.sums[i] = sum
	return nil
}

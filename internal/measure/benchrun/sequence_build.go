package benchrun

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/build"
	"github.com/tarebench/tare/record"
)

// takeEarlier takes over the cases and the numbers of an earlier run.
func (s *Sequence) takeEarlier() {
	for _, x := range s.Earlier.Bins {
		s.nextID = max(s.nextID, x.ID+1)
	}
	for _, c := range s.Earlier.Cases {
		i := slices.IndexFunc(s.Run.Sides, func(x record.Side) bool { return x.Name == c.Side })
		if i >= 0 {
			s.cases[i] = c
		}
	}
	s.base = s.cases[0]
}

// buildFirst builds side 0 in its first layout, of all packages that were named.
func (s *Sequence) buildFirst(ctx context.Context) error {
	if err := s.checkOutSide(ctx, 0); err != nil {
		return err
	}
	x := s.sides[0]
	pkgs, err := build.Resolve(ctx, x.options(s.Run.Config.Tags, s.temp.path(), s.WithheldGo), s.Run.Config.Packages)
	if err != nil {
		return buildError(err)
	}
	for _, p := range pkgs {
		if p.Error != nil {
			return exit.Failed(fmt.Errorf("%s: %w", x.Name, p.Error), "")
		}
		if p.Skip == "" && (s.base == nil || p.ImportPath == s.base.Pkg) {
			if _, err := s.link(ctx, 0, p, s.layout(0)); err != nil {
				return exit.Failed(fmt.Errorf("%s: %w", x.Name, err), "")
			}
		}
	}
	if len(s.bins) == 0 {
		return exit.Failed(fmt.Errorf("%s: no benchmarks in %s", x.Name, strings.Join(s.Run.Config.Packages, " ")), "")
	}
	return nil
}

// layout returns the seed of the layout of the nth fork of a side, from 0; "" if there are no random layouts.
func (s *Sequence) layout(n int) string {
	if s.Run.Config.Layouts == 0 {
		return ""
	}
	return fmt.Sprint(n%s.Run.Config.Layouts + 1)
}

func (s *Sequence) checkOutSide(ctx context.Context, i int) error {
	if s.sides[i].tree != nil {
		return nil
	}
	repo, err := build.FindRepository(ctx, s.Run.Dir)
	return s.checkOut(ctx, s.sides[i], repo, err)
}

// link builds a binary and numbers it. One that an earlier run measured has the number of that.
func (s *Sequence) link(ctx context.Context, i int, p build.Package, layout string) (*binary, error) {
	x := &binary{pkg: p, side: s.sides[i]}
	x.Layout = layout
	s.Progress.Phase("building %s%s", sideLabel(x.side.Name), p.ImportPath)
	if err := s.buildOne(ctx, x); err != nil {
		return nil, err
	}
	x.ID = s.nextID
	known := false
	if s.Earlier != nil {
		for _, old := range s.Earlier.Bins {
			if old.Side != x.Side || old.Layout != x.Layout || old.Pkg != x.Pkg {
				continue
			}
			if old.SHA256 != x.SHA256 {
				return nil, fmt.Errorf("the test binary of %s is not the one that was measured before: go back to the toolchain of the record, or start a new run", x.Side)
			}
			x.ID, known = old.ID, true
		}
	}
	if !known {
		s.nextID++
	}
	s.bins = append(s.bins, x)
	if s.planned && !known {
		return x, s.write(&x.Bin)
	}
	return x, nil
}

// prepare gets the next fork of a side a binary, and the side a case.
func (s *Sequence) prepare(ctx context.Context, i int) (*record.Case, *binary, error) {
	if err := s.checkOutSide(ctx, i); err != nil {
		return nil, nil, err
	}
	name, layout := s.sides[i].Name, s.layout(s.forks[i])
	j := slices.IndexFunc(s.bins, func(x *binary) bool { return x.Side == name && x.Layout == layout })
	if j < 0 {
		p, err := s.packageOf(ctx, i)
		if err != nil {
			return nil, nil, err
		}
		x, err := s.link(ctx, i, p, layout)
		if err != nil {
			return nil, nil, err
		}
		j = slices.Index(s.bins, x)
	}
	b := s.bins[j]
	if s.cases[i] == nil {
		c := *s.base
		c.ID, c.Side, c.Bin, c.Code = s.lastCase()+1, name, b.ID, ""
		s.cases[i] = &c
		return &c, b, s.write(&c)
	}
	return s.cases[i], b, nil
}

func (s *Sequence) lastCase() int {
	last := 0
	for _, c := range s.cases {
		last = max(last, c.ID)
	}
	return last
}

func (s *Sequence) packageOf(ctx context.Context, i int) (build.Package, error) {
	pkgs, err := build.Resolve(ctx, s.sides[i].options(s.Run.Config.Tags, s.temp.path(), s.WithheldGo), []string{s.base.Pkg})
	switch {
	case err != nil:
		return build.Package{}, err
	case len(pkgs) != 1:
		return build.Package{}, fmt.Errorf("%s names %d packages", s.base.Pkg, len(pkgs))
	case pkgs[0].Error != nil:
		return build.Package{}, pkgs[0].Error
	case pkgs[0].Skip != "":
		return build.Package{}, fmt.Errorf("%s has %s", s.base.Pkg, pkgs[0].Skip)
	}
	return pkgs[0], nil
}

// Digest returns a digest of the side's test binary, linked as usual, and of the files that its benchmarks can read.
// Equal ones do the same. It is "" if the files are not known.
func (s *Sequence) Digest(ctx context.Context, i int) (string, error) {
	if err := s.checkOutSide(ctx, i); err != nil {
		return "", err
	}
	p, err := s.packageOf(ctx, i)
	if err != nil {
		return "", err
	}
	x, err := build.Build(ctx, s.sides[i].options(s.Run.Config.Tags, s.temp.path(), s.WithheldGo), p)
	if err != nil {
		return "", err
	}
	defer x.Close()
	digest, _ := s.newFiles(s.Recorder).Digest(x.Dir) // "": measured
	bin := record.Bin{SHA256: x.SHA256, Files: digest}
	return bin.Program(), nil
}

// Leave removes the worktree of a side until its next fork.
func (s *Sequence) Leave(i int) {
	if s.forks[i] == 0 && i > 0 {
		s.sides[i].close()
		s.sides[i].tree = nil
	}
}

// Dependencies returns the directories whose packages the side's test binary contains.
func (s *Sequence) Dependencies(ctx context.Context, i int) (*build.Dependencies, error) {
	if err := s.checkOutSide(ctx, i); err != nil {
		return nil, err
	}
	p, err := s.packageOf(ctx, i)
	if err != nil {
		return nil, err
	}
	return build.DependenciesOf(ctx, s.sides[i].options(s.Run.Config.Tags, s.temp.path(), s.WithheldGo), p, s.sides[i].tree)
}

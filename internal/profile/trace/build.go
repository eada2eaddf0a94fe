package trace

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/golang/instrument"
	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// Build adds probes to the matching functions.
func (p *traceProfiler) Build(ctx context.Context, b profiler.Build) (profiler.Built, error) {
	dir, err := p.dir()
	if err != nil {
		return profiler.Built{}, err
	}
	s := p.newPlanner(dir, b)
	x, err := s.instrument(ctx)
	if errors.Is(err, toolchain.ErrUnsupported) {
		return profiler.Built{}, &profiler.UnavailableError{Err: err, Advice: requirements}
	}
	if err != nil {
		return profiler.Built{}, err
	}
	w := &instrumented{Build: x}
	if can, err := x.Inlinable(ctx); err != nil {
		w.unknown, _, _ = strings.Cut(err.Error(), "\n")
	} else {
		for _, fn := range can {
			w.inlined = append(w.inlined, fn.Name)
			if fn.Allocates {
				w.allocs = append(w.allocs, fn.Name)
			}
		}
	}
	p.mu.Lock()
	p.built[key{b.Side, b.Pkg}] = w
	p.mu.Unlock()
	return profiler.Built{Flags: x.Flags, Env: x.Env, Check: x.Check, Warnings: s.warnings(b.Pkg, len(p.cfg.Match) > 0)}, nil
}

// newPlanner returns the planner of a package, which writes below dir. Without patterns of the user it matches all
// functions of the package
// and its tests. Benchmarks and tests themselves are excepted, as is package testing, which has hooks.
func (p *traceProfiler) newPlanner(dir string, b profiler.Build) *planner {
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q", b.Side, b.Pkg)
	cfg := instrument.Config{
		Dir: b.Dir, Packages: []string{b.Pkg}, Tests: true, Flags: b.Flags, Env: b.Env,
		Match: p.cfg.Match, Skip: p.cfg.Skip, Except: []string{"testing.*"},
	}
	pkgs := []string{b.Pkg}
	tests, external := testsIn(b.Files)
	if external {
		pkgs = append(pkgs, b.Pkg+"_test")
	}
	for _, pkg := range pkgs {
		for _, name := range tests {
			cfg.Except = append(cfg.Except, pkg+"."+name)
		}
		if len(p.cfg.Match) == 0 {
			cfg.Match = append(cfg.Match, pkg+".*")
		}
	}
	return &planner{cfg: cfg, dir: filepath.Join(dir, fmt.Sprintf("%x", h.Sum64()))}
}

// planner instruments a package by those patterns that match anything in it.
type planner struct {
	cfg            instrument.Config
	dir            string
	tries          int
	unmatched      []error // errors of patterns that match nothing
	unmatchedSkips []error // errors of patterns to skip that match nothing
}

// warnings returns warnings about the patterns that match nothing in the package. given means that the user gave the
// patterns of functions.
func (s *planner) warnings(pkg string, given bool) (out []*record.Warn) {
	for _, e := range s.unmatched {
		if given {
			out = append(out, diagnosis.Warn(diagnosis.NoMatch, diagnosis.Facts{"package": pkg, "why": e}))
		}
	}
	for _, e := range s.unmatchedSkips {
		out = append(out, diagnosis.WarnForm(diagnosis.NoMatch, "skip", diagnosis.Facts{"package": pkg, "why": e}))
	}
	return out
}

func (s *planner) instrument(ctx context.Context) (*instrument.Build, error) {
	w, err := s.plan(ctx, s.cfg.Match)
	for e := (*instrument.NoMatchError)(nil); errors.As(err, &e); w, err = s.plan(ctx, s.cfg.Match) {
		i := slices.Index(s.cfg.Skip, e.Pattern)
		if i < 0 {
			break
		}
		s.unmatchedSkips = append(s.unmatchedSkips, err)
		s.cfg.Skip = slices.Delete(slices.Clone(s.cfg.Skip), i, i+1)
	}
	if err == nil || len(s.cfg.Match) == 1 || ctx.Err() != nil || errors.Is(err, toolchain.ErrUnsupported) {
		return w, err
	}
	var good []string
	for _, m := range s.cfg.Match {
		if _, err := s.plan(ctx, []string{m}); err != nil {
			s.unmatched = append(s.unmatched, err)
		} else {
			good = append(good, m)
		}
	}
	if len(good) == 0 {
		return nil, errors.Join(s.unmatched...)
	}
	return s.plan(ctx, good)
}

// plan makes one attempt in a new directory.
func (s *planner) plan(ctx context.Context, match []string) (*instrument.Build, error) {
	c := s.cfg
	c.Match, c.Work = match, filepath.Join(s.dir, fmt.Sprint(s.tries))
	s.tries++
	if err := os.MkdirAll(c.Work, 0o700); err != nil {
		return nil, fmt.Errorf("directory of the build: %w", err)
	}
	return instrument.Plan(ctx, c)
}

// testsIn returns the names of functions in test files that package testing calls, and whether a file belongs to the
// external test package.
func testsIn(files []string) (names []string, external bool) {
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler will report it
		}
		external = external || strings.HasSuffix(f.Name.Name, "_test")
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && isTest(fn.Name.Name) {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names, external
}

// isTest reports whether package testing runs functions of that name.
func isTest(name string) bool {
	for _, prefix := range []string{"Benchmark", "Test", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}

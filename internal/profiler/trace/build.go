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

	"github.com/tarebench/tare/internal/instrument"
	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/internal/toolchain"
	"github.com/tarebench/tare/record"
)

// CodeNoMatch is the doubt about a pattern that matches nothing in one of several packages.
const CodeNoMatch = "no-match"

// Build puts probes into the functions that match.
func (p *traceProfiler) Build(ctx context.Context, b profiler.Build) (profiler.Built, error) {
	dir, err := p.dir()
	if err != nil {
		return profiler.Built{}, err
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%q %q", b.Side, b.Pkg)
	s := planner{dir: filepath.Join(dir, fmt.Sprintf("%x", h.Sum64()))}
	s.cfg = instrument.Config{
		Dir: b.Dir, Packages: []string{b.Pkg}, Tests: true, Flags: b.Flags, Env: b.Env,
		Match: p.cfg.Match, Skip: p.cfg.Skip, Except: []string{"testing.*"}, // which has the hooks
	}
	tests, external := testsIn(b.Files)
	for _, name := range tests {
		s.cfg.Except = append(s.cfg.Except, b.Pkg+"."+name)
		if external {
			s.cfg.Except = append(s.cfg.Except, b.Pkg+"_test."+name)
		}
	}
	asked := len(s.cfg.Match) > 0
	if !asked {
		s.cfg.Match = []string{b.Pkg + ".*"}
		if external {
			s.cfg.Match = append(s.cfg.Match, b.Pkg+"_test.*")
		}
	}
	x, err := s.instrument(ctx)
	if errors.Is(err, toolchain.ErrUnsupported) {
		return profiler.Built{}, &profiler.ProbeError{Err: err, Advice: needed}
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
		}
	}
	p.mu.Lock()
	p.built[key{b.Side, b.Pkg}] = w
	p.mu.Unlock()
	out := profiler.Built{Flags: x.Flags, Env: x.Env, Check: x.Check}
	for _, e := range s.none {
		if asked {
			out.Doubts = append(out.Doubts, &record.Warn{
				About: record.AboutRun, Code: CodeNoMatch, Text: fmt.Sprintf("trace: %s: %v", b.Pkg, e),
				Advice: "the other patterns are counted there",
			})
		}
	}
	for _, e := range s.idle {
		out.Doubts = append(out.Doubts, &record.Warn{
			About: record.AboutRun, Code: CodeNoMatch, Text: fmt.Sprintf("trace: %s: nothing is skipped there: %v", b.Pkg, e),
			Advice: "nothing, if it is about another package",
		})
	}
	return out, nil
}

// planner instruments a package by those patterns that match anything in it.
type planner struct {
	cfg   instrument.Config
	dir   string
	tries int
	none  []error // of patterns that do not
	idle  []error // of patterns to skip that do not
}

func (s *planner) instrument(ctx context.Context) (*instrument.Build, error) {
	w, err := s.plan(ctx, s.cfg.Match)
	for e := (*instrument.NoMatchError)(nil); errors.As(err, &e); w, err = s.plan(ctx, s.cfg.Match) {
		i := slices.Index(s.cfg.Skip, e.Pattern)
		if i < 0 {
			break
		}
		s.idle = append(s.idle, err)
		s.cfg.Skip = slices.Delete(slices.Clone(s.cfg.Skip), i, i+1)
	}
	if err == nil || len(s.cfg.Match) == 1 || ctx.Err() != nil || errors.Is(err, toolchain.ErrUnsupported) {
		return w, err
	}
	var good []string
	for _, m := range s.cfg.Match {
		if _, err := s.plan(ctx, []string{m}); err != nil {
			s.none = append(s.none, err)
		} else {
			good = append(good, m)
		}
	}
	if len(good) == 0 {
		return nil, errors.Join(s.none...)
	}
	return s.plan(ctx, good)
}

// plan is one try, in a directory of its own.
func (s *planner) plan(ctx context.Context, match []string) (*instrument.Build, error) {
	c := s.cfg
	c.Match, c.Work = match, filepath.Join(s.dir, fmt.Sprint(s.tries))
	s.tries++
	if err := os.MkdirAll(c.Work, 0o700); err != nil {
		return nil, fmt.Errorf("directory of the build: %w", err)
	}
	return instrument.Plan(ctx, c)
}

// testsIn are the names of functions in test files that package testing calls, and
// whether any file is of the external test package.
func testsIn(files []string) (names []string, external bool) {
	for _, path := range files {
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler will say so
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

// isTest tells the names that package testing knows.
func isTest(name string) bool {
	for _, prefix := range []string{"Benchmark", "Test", "Fuzz", "Example"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			r, _ := utf8.DecodeRuneInString(rest)
			return rest == "" || !unicode.IsLower(r)
		}
	}
	return false
}

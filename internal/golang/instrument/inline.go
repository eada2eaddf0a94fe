package instrument

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Inlinable compiles the packages without probes, with the flags of the build. It returns the functions with probes
// that the compiler would have inlined: their overhead includes the lost inlining. It fails with the compiler's error.
func (w *Build) Inlinable(ctx context.Context) ([]Func, error) {
	args := []string{"list", "-export", "-f", "{{.ImportPath}}"}
	if w.cfg.Tests {
		args = append(args, "-test")
	}
	args = append(args, w.cfg.Flags...)
	args = append(args, "-deps")
	compiler, err := w.gcflags(ctx)
	if err != nil {
		return nil, err
	}
	for _, pkg := range w.pkgs {
		args = append(args, "-gcflags="+pkg+"="+strings.TrimSpace(compiler[pkg]+" -m"))
	}
	args = append(append(args, "--"), w.cfg.patterns()...)
	_, said, err := w.cfg.command().Run(ctx, args...)
	if err != nil {
		return nil, err
	}
	can, heap := inlinable(said), allocating(said)
	var out []Func
	for _, f := range w.Funcs {
		verdicts := can[f.at]
		if to := w.tools.Overlay[f.File]; to != "" { // the compiler reports this name with -trimpath
			verdicts = slices.Concat(verdicts, can[filepath.Base(to)+strings.TrimPrefix(f.at, filepath.Base(f.File))])
		}
		if slices.ContainsFunc(verdicts, func(by inlineReport) bool { return by.isAbout(&f) }) {
			f.Allocates = slices.ContainsFunc(heap[filepath.Base(f.File)], func(line int) bool { return f.Line <= line && line < f.Line+f.lines })
			out = append(out, f)
		}
	}
	return out, nil
}

// inlineReport is a function that the compiler reports as inlinable in the package it compiles.
type inlineReport struct{ pkg, name string }

// inlinable returns the functions that the compiler's output reports as inlinable, by base name of the file, line
// and, if known, column. The rest of the path depends on -trimpath, //line and the module cache.
func inlinable(said string) map[string][]inlineReport {
	can := make(map[string][]inlineReport)
	pkg := ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			pkg, _, _ = strings.Cut(rest, " [")
		} else if at, name, ok := strings.Cut(line, ": can inline "); ok {
			at = at[strings.LastIndexAny(at, `/\`)+1:]
			can[at] = append(can[at], inlineReport{pkg, name})
		}
	}
	return can
}

// allocating returns the lines that allocate, by the compiler's output: by base name of the file.
func allocating(said string) map[string][]int {
	lines := make(map[string][]int)
	for line := range strings.Lines(said) {
		at, what, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || !strings.HasSuffix(what, " escapes to heap") && !strings.HasPrefix(what, "moved to heap: ") {
			continue
		}
		name, rest, _ := strings.Cut(at[strings.LastIndexAny(at, `/\`)+1:], ":")
		number, _, _ := strings.Cut(rest, ":")
		if n, err := strconv.Atoi(number); err == nil {
			lines[name] = append(lines[name], n)
		}
	}
	return lines
}

// isAbout reports whether the verdict, whose position is that of f, is about f. A generic function is also compiled in
// packages that use it, with its own package in the name. Without a column there may be other functions on that line.
func (by inlineReport) isAbout(f *Func) bool {
	name := by.name
	if by.pkg != f.pkg.ImportPath {
		var ok bool
		if name, ok = strings.CutPrefix(name, f.pkg.Name+"."); !ok {
			return false
		}
	}
	return f.column || plainName(name) == plainName(f.short)
}

// gcflags returns the build's own -gcflags of instrumented packages by import path, because added flags would replace
// them. The last of several for a package counts, GOFLAGS first.
func (w *Build) gcflags(ctx context.Context) (map[string]string, error) {
	of := make(map[string]string)
	for _, value := range w.tools.Flags.All("gcflags") {
		value = strings.TrimSpace(value)
		patterns := w.cfg.patterns()
		if value != "" && value[0] != '-' {
			pattern, flags, ok := strings.Cut(value, "=")
			if !ok {
				return nil, fmt.Errorf("-gcflags=%s: want [PATTERN=]FLAGS", value)
			}
			patterns, value = []string{strings.TrimSpace(pattern)}, flags
		}
		all := slices.Equal(patterns, []string{"all"}) // which includes more than go list returns
		var about []*goPackage
		if !all {
			var err error
			if about, err = w.cfg.listWithErrors(ctx, nil, patterns); err != nil {
				return nil, err
			}
		}
		for _, pkg := range w.pkgs {
			if all || slices.ContainsFunc(about, func(p *goPackage) bool { return p.ImportPath == pkg || p.ImportPath+"_test" == pkg }) {
				of[pkg] = value
			}
		}
	}
	return of, nil
}

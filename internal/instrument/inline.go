package instrument

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Inlinable compiles the packages without probes, with the flags of the build, and returns the
// functions with probes that the compiler would have inlined. For them a probe also costs what
// inlining would have saved. The error of packages that do not build is that of the compiler.
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
	can := inlinable(said)
	var out []Func
	for _, f := range w.Funcs {
		verdicts := can[f.at]
		if to := w.tools.Overlay[f.File]; to != "" { // with -trimpath the compiler reports this name
			verdicts = slices.Concat(verdicts, can[filepath.Base(to)+strings.TrimPrefix(f.at, filepath.Base(f.File))])
		}
		if slices.ContainsFunc(verdicts, func(by verdict) bool { return by.means(&f) }) {
			out = append(out, f)
		}
	}
	return out, nil
}

// verdict is a function that the compiler reports as inlinable while it compiles a package.
type verdict struct{ pkg, name string }

// inlinable returns the functions that the compiler's output reports as inlinable, by the base
// name of the file, the line and, where it is known, the column. The rest of the path differs
// with -trimpath, with //line and in the module cache.
func inlinable(said string) map[string][]verdict {
	can := make(map[string][]verdict)
	pkg := ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "# "); ok {
			pkg, _, _ = strings.Cut(rest, " [")
		} else if at, name, ok := strings.Cut(line, ": can inline "); ok {
			at = at[strings.LastIndexAny(at, `/\`)+1:]
			can[at] = append(can[at], verdict{pkg, name})
		}
	}
	return can
}

// means reports whether the verdict is about f, whose position is that of the verdict. A generic
// function is also compiled with the packages that use it, and then named with its own package.
// Without a column there may be other functions on that line.
func (by verdict) means(f *Func) bool {
	name := by.name
	if by.pkg != f.pkg.ImportPath {
		var ok bool
		if name, ok = strings.CutPrefix(name, f.pkg.Name+"."); !ok {
			return false
		}
	}
	return f.column || plainName(name) == plainName(f.short)
}

// gcflags returns the build's own -gcflags of instrumented packages, by import path: flags that are
// added would replace them. Of several for a package the last counts, after those of GOFLAGS.
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
		all := slices.Equal(patterns, []string{"all"}) // which is more than go list says
		var about []*goPackage
		if !all {
			var err error
			if about, err = w.cfg.listed(ctx, nil, patterns); err != nil {
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

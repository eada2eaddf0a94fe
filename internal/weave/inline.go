package weave

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
)

// Inlinable compiles the packages as they are, without probes, and returns which of
// the woven functions the compiler would have inlined where they are called: for
// them, a probe costs what inlining saved besides. The error of packages that do not
// build is what the compiler said.
func (w *Woven) Inlinable(ctx context.Context) ([]Func, error) {
	args := []string{"list", "-export", "-f", "{{.ImportPath}}"}
	if w.cfg.Tests {
		args = append(args, "-test")
	}
	args = append(args, w.cfg.Flags...)
	args = append(args, "-deps")
	for _, pkg := range w.pkgs {
		args = append(args, "-gcflags="+pkg+"=-m")
	}
	args = append(append(args, "--"), w.cfg.patterns()...)
	_, said, err := w.cfg.goCommand(ctx, args...)
	if err != nil {
		return nil, err
	}
	can := make(map[string]bool)
	for line := range strings.Lines(said) {
		pos, _, ok := strings.Cut(strings.TrimSpace(line), ": can inline ")
		if !ok {
			continue
		}
		parts := strings.Split(pos, ":")
		if len(parts) < 3 {
			continue
		}
		file := strings.Join(parts[:len(parts)-2], ":")
		if !filepath.IsAbs(file) {
			file = filepath.Join(w.dir(), file)
		}
		can[file+":"+parts[len(parts)-2]] = true
	}
	var out []Func
	for _, f := range w.Funcs {
		if can[f.File+":"+strconv.Itoa(f.Line)] {
			out = append(out, f)
		}
	}
	return out, nil
}

func (w *Woven) dir() string {
	dir, err := filepath.Abs(w.cfg.Dir)
	if err != nil {
		return w.cfg.Dir
	}
	return dir
}

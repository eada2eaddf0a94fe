package instrument

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// Build is a prepared build with probes: by go build, go test -c or go run with Flags and Env, and with the packages
// and flags of its Config.
type Build struct {
	Flags   []string  // additional flags of the build
	Env     []string  // additional environment of the go command
	Funcs   []Func    // functions with probes; the index is their number
	Skipped []Skipped // functions that match but get no probe, by name

	cfg   Config
	pkgs  []string // import paths of packages with probes
	tools *toolchain.Toolchain
}

// Plan selects the functions to instrument. It writes the files of the build into cfg.Work, and those of package
// runtime into [toolchain.CacheDir]. The error wraps [toolchain.ErrUnsupported] if the Go version or the system is
// the cause. It is a [*NoMatchError] if a pattern matches nothing.
func Plan(ctx context.Context, cfg Config) (*Build, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	var err error
	if cfg.Work, err = filepath.Abs(cfg.Work); err != nil {
		return nil, err
	}
	t, err := cfg.findToolchain(ctx)
	if err != nil {
		return nil, err
	}
	o := &output{cfg: &cfg, tools: t, replace: make(toolchain.Overlay)}
	maps.Copy(o.replace, t.Overlay)
	if err := o.runtime(); err != nil {
		return nil, err
	}
	c := &selector{cfg: &cfg, ctx: ctx, tools: t}
	if c.pkgs, err = cfg.build(ctx, t); err != nil {
		return nil, err
	}
	w := &Build{cfg: cfg, tools: t}
	if w.Skipped, err = c.selectFunctions(); err != nil {
		return nil, err
	}
	if err := w.instrument(ctx, c, o); err != nil {
		return nil, err
	}
	overlay := filepath.Join(cfg.Work, "overlay.json")
	if err := o.replace.WriteFile(overlay); err != nil {
		return nil, err
	}
	w.Flags = append([]string{"-overlay=" + overlay}, o.flags...)
	w.Env = o.env
	return w, nil
}

// findToolchain returns the go command's toolchain. It fails for builds that measure coverage.
func (c *Config) findToolchain(ctx context.Context) (*toolchain.Toolchain, error) {
	t, err := toolchain.Find(ctx, c.command(), c.Flags...)
	if err != nil {
		return nil, err
	}
	if f := t.Flags.Switched(func(name string) bool { return strings.HasPrefix(name, "cover") }); f != "" {
		in := ""
		if !slices.Contains(c.Flags, f) {
			in = " in GOFLAGS"
		}
		return nil, fmt.Errorf("%s%s: coverage would also count in files without probes: remove the flag", f, in)
	}
	return t, nil
}

// dir returns the absolute directory in which the go command runs.
func (c *Config) dir() string {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return c.Dir
	}
	return dir
}

// instrument numbers the chosen functions and rewrites their files.
func (w *Build) instrument(ctx context.Context, c *selector, o *output) error {
	all := make([]*Func, 0, len(c.selected))
	for f := range c.selected {
		all = append(all, f)
	}
	slices.SortFunc(all, compare)
	ids := make(map[*Func]int, len(all))
	files := make(map[*sourceFile]bool)
	packages := make(map[*goPackage]bool)
	for i, f := range all {
		ids[f] = i
		w.Funcs = append(w.Funcs, *f)
		files[c.selected[f]] = true
		packages[c.selected[f].pkg] = true
	}
	for pkg := range packages {
		w.pkgs = append(w.pkgs, pkg.ImportPath)
	}
	sort.Strings(w.pkgs)
	if err := o.modules(ctx, packages); err != nil {
		return err
	}
	for f := range files {
		if err := o.file(f.path, f.rewrite(ids, alias(c.files[f.pkg]), w.cfg.CountOnly)); err != nil {
			return err
		}
	}
	return nil
}

// output collects the replaced files, flags and environment of a build.
type output struct {
	cfg     *Config
	tools   *toolchain.Toolchain
	replace toolchain.Overlay
	copies  map[string]string // directories of modules → their copies
	flags   []string
	env     []string
	count   int
}

// runtime adds the probes to package runtime. Their files are in the user's cache, or in the build's directory if the
// cache is not writable.
func (o *output) runtime() error {
	patch, err := toolchain.Runtime(o.tools, toolchain.Probes)
	if err != nil {
		return err
	}
	var files toolchain.Overlay
	dir, err := toolchain.CacheDir()
	if err == nil {
		files, err = patch.Install(dir)
	}
	if err != nil {
		files, err = patch.Install(filepath.Join(o.cfg.Work, "runtime"))
	}
	maps.Copy(o.replace, files)
	return err
}

// file replaces a file by a text. In the copy of a module a //line directive names the original, except with
// -trimpath, where go itself prints the module and not the copy.
func (o *output) file(path, text string) error {
	original := path
	for from, to := range o.copies {
		if rest, ok := strings.CutPrefix(path, from+string(filepath.Separator)); ok {
			path = filepath.Join(to, rest)
			if o.tools.Flags.Switched(func(name string) bool { return name == "trimpath" }) != "" {
				break
			}
			bom := ""
			if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
				bom, text = "\ufeff", rest // must be the first character
			}
			text = bom + "//line " + original + ":1\n" + text
			break
		}
	}
	dir := filepath.Join(o.cfg.Work, "files", fmt.Sprint(o.count))
	o.count++
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	copied := filepath.Join(dir, filepath.Base(path))
	if err := os.WriteFile(copied, []byte(text), 0o666); err != nil {
		return err
	}
	o.replace[path] = copied
	return nil
}

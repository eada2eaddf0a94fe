package instrument

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/tarebench/tare/internal/gocmd"
)

// Woven is a build with probes, ready to be made: go build, go test -c or go run with
// Flags and Env, and the packages and flags of its Config.
type Woven struct {
	Flags []string // to add to those of the build
	Env   []string // to add to the environment of the go command
	Funcs []Func   // that have probes, in the order of their numbers
	Left  []Left   // that match and were left alone, by name

	cfg   Config
	pkgs  []string // import paths of packages with probes
	tools *toolchain
}

// Plan chooses the functions to weave, and writes what the build needs into
// cfg.Work. Nothing else on disk changes. The error wraps ErrUnfit where the toolchain
// or the system is to blame.
func Plan(ctx context.Context, cfg Config) (*Woven, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	var err error
	if cfg.Work, err = filepath.Abs(cfg.Work); err != nil {
		return nil, fmt.Errorf("weave: %w", err)
	}
	t, err := cfg.toolchain(ctx)
	if err != nil {
		return nil, err
	}
	o := &output{cfg: &cfg, tools: t, replace: make(map[string]string)}
	maps.Copy(o.replace, t.overlay)
	if err := o.runtime(); err != nil {
		return nil, err
	}
	c := &chooser{cfg: &cfg, ctx: ctx, tools: t}
	if c.pkgs, err = cfg.build(ctx, t); err != nil {
		return nil, err
	}
	w := &Woven{cfg: cfg, tools: t}
	if w.Left, err = c.choose(); err != nil {
		return nil, err
	}
	if err := w.weave(ctx, c, o); err != nil {
		return nil, err
	}
	overlay, err := o.write()
	if err != nil {
		return nil, err
	}
	w.Flags = append([]string{"-overlay=" + overlay}, o.flags...)
	w.Env = o.env
	return w, nil
}

func (c *Config) toolchain(ctx context.Context) (*toolchain, error) {
	out, _, err := c.goCommand(ctx, "env", "-json", "GOROOT", "GOVERSION", "GOOS", "GOARCH", "GOMODCACHE", "GOMOD", "GOWORK", "GOFLAGS", "GOAMD64", "GOPPC64", "GORISCV64")
	if err != nil {
		return nil, err
	}
	t := new(toolchain)
	if err := json.Unmarshal([]byte(out), t); err != nil {
		return nil, fmt.Errorf("weave: what go env prints: %w", err)
	}
	t.flags = gocmd.ParseFlags(t.GOFLAGS, c.Flags...)
	if f := t.flags.Switched(func(name string) bool { return strings.HasPrefix(name, "cover") }); f != "" {
		in := ""
		if !slices.Contains(c.Flags, f) {
			in = " in GOFLAGS"
		}
		return nil, fmt.Errorf("weave: %s%s: coverage would count, too, in files that have no probes: leave it out", f, in)
	}
	if t.overlay, err = gocmd.ReadOverlay(c.dir(), t.flags); err != nil {
		return nil, fmt.Errorf("weave: %w", err)
	}
	return t, nil
}

// dir is where the go command runs; absolute.
func (c *Config) dir() string {
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return c.Dir
	}
	return dir
}

// weave numbers the functions and rewrites their files.
func (w *Woven) weave(ctx context.Context, c *chooser, o *output) error {
	all := make([]*Func, 0, len(c.chosen))
	for f := range c.chosen {
		all = append(all, f)
	}
	sort.Slice(all, func(i, j int) bool { return before(all[i], all[j]) })
	ids := make(map[*Func]int, len(all))
	files := make(map[*sourceFile]bool)
	packages := make(map[*goPackage]bool)
	for i, f := range all {
		ids[f] = i
		w.Funcs = append(w.Funcs, *f)
		files[c.chosen[f]] = true
		packages[c.chosen[f].pkg] = true
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

// output is what a build is given in the place of files.
type output struct {
	cfg     *Config
	tools   *toolchain
	replace map[string]string // paths, for the overlay
	moved   map[string]string // directories of modules to their copies
	flags   []string
	env     []string
	count   int
}

// runtime puts the probes into package runtime.
func (o *output) runtime() error {
	files, err := runtimeFiles(o.tools)
	if err != nil {
		return err
	}
	dir := filepath.Join(o.cfg.Work, "runtime")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("weave: %w", err)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return fmt.Errorf("weave: %w", err)
		}
		o.replace[filepath.Join(o.tools.GOROOT, "src", "runtime", name)] = path
	}
	return nil
}

// file puts a text in the place of a file. That of a module's copy says where it is
// from, but for -trimpath, with which go itself names the module, not the copy.
func (o *output) file(path, text string) error {
	original := path
	for from, to := range o.moved {
		if rest, ok := strings.CutPrefix(path, from+string(filepath.Separator)); ok {
			path = filepath.Join(to, rest)
			if o.tools.flags.Switched(func(name string) bool { return name == "trimpath" }) != "" {
				break
			}
			bom := ""
			if rest, ok := strings.CutPrefix(text, "\ufeff"); ok {
				bom, text = "\ufeff", rest // which must be the first
			}
			text = bom + "//line " + original + ":1\n" + text
			break
		}
	}
	dir := filepath.Join(o.cfg.Work, "files", fmt.Sprint(o.count))
	o.count++
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("weave: %w", err)
	}
	copied := filepath.Join(dir, filepath.Base(path))
	if err := os.WriteFile(copied, []byte(text), 0o666); err != nil {
		return fmt.Errorf("weave: %w", err)
	}
	o.replace[path] = copied
	return nil
}

// write writes the file for go's flag -overlay.
func (o *output) write() (path string, err error) {
	text, err := json.MarshalIndent(map[string]any{"Replace": o.replace}, "", "\t")
	if err != nil {
		return "", err
	}
	path = filepath.Join(o.cfg.Work, "overlay.json")
	if err := os.WriteFile(path, append(text, '\n'), 0o666); err != nil {
		return "", fmt.Errorf("weave: %w", err)
	}
	return path, nil
}

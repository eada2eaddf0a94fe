package instrument

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// modules copies the modules of the packages that lie in the module cache, where go applies no overlay. A copy of
// go.mod or go.work names the copies.
func (o *output) modules(ctx context.Context, packages map[*goPackage]bool) error {
	o.copies = make(map[string]string)
	var edits []string
	for pkg := range packages {
		m := pkg.Module
		if m == nil || m.Main || m.Dir == "" || !within(o.tools.ModCache, m.Dir) {
			continue
		}
		if !within(m.Dir, pkg.Dir) || o.copies[m.Dir] != "" { // vendored, or already copied
			continue
		}
		to := filepath.Join(o.cfg.Work, "modules", fmt.Sprintf("%d-%s", len(o.copies), filepath.Base(m.Path)))
		if err := copyModule(m, to); err != nil {
			return fmt.Errorf("module %s: %w", m.Path, err)
		}
		o.copies[m.Dir] = to
		edits = append(edits, fmt.Sprintf("-replace=%s=%s", m.Path+at(m.Version), to))
	}
	if len(edits) == 0 {
		return nil
	}
	sort.Strings(edits)
	if w := o.tools.Work; w != "" && w != "off" {
		return o.workspace(ctx, w, edits)
	}
	return o.modfile(ctx, edits)
}

func at(version string) string {
	if version == "" {
		return ""
	}
	return "@" + version
}

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// modfile writes the file for go's flag -modfile, based on the build's own -modfile or else go.mod. Its paths remain
// relative to the main module.
func (o *output) modfile(ctx context.Context, edits []string) error {
	if o.tools.Mod == "" || o.tools.Mod == os.DevNull {
		return fmt.Errorf("instrumenting dependencies needs a go.mod, and %s has none", o.cfg.Dir)
	}
	from := o.tools.Mod
	if file, _ := o.tools.Flags.Last("modfile"); file != "" {
		from = toolchain.InDir(o.cfg.dir(), file)
	}
	alt := filepath.Join(o.cfg.Work, "alt.mod")
	if err := o.copyFile(from, alt); err != nil {
		return err
	}
	sum := strings.TrimSuffix(from, ".mod") + ".sum"
	if err := o.copyFile(sum, filepath.Join(o.cfg.Work, "alt.sum")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, _, err := o.cfg.command().Run(ctx, append(append([]string{"mod", "edit"}, edits...), alt)...); err != nil {
		return err
	}
	o.flags = append(o.flags, "-modfile="+alt)
	return nil
}

// workspace writes a go.work, because go does not allow -modfile in a workspace. It makes the relative paths absolute.
func (o *output) workspace(ctx context.Context, file string, edits []string) error {
	alt := filepath.Join(o.cfg.Work, "go.work")
	if err := o.copyFile(file, alt); err != nil {
		return err
	}
	if err := o.copyFile(file+".sum", alt+".sum"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	w, err := readWork(ctx, o.cfg, file)
	if err != nil {
		return err
	}
	args := []string{"work", "edit"}
	dir := filepath.Dir(file)
	for _, u := range w.Use {
		if !filepath.IsAbs(u.DiskPath) {
			args = append(args, "-dropuse="+u.DiskPath, "-use="+filepath.Join(dir, u.DiskPath))
		}
	}
	for _, r := range w.Replace {
		if r.New.Version == "" && !filepath.IsAbs(r.New.Path) {
			args = append(args, fmt.Sprintf("-replace=%s=%s", r.Old.Path+at(r.Old.Version), filepath.Join(dir, r.New.Path)))
		}
	}
	if _, _, err := o.cfg.command().Run(ctx, append(append(args, edits...), alt)...); err != nil {
		return err
	}
	o.env = append(o.env, "GOWORK="+alt)
	return nil
}

// copyModule copies a module from the cache. A module without a go.mod gets the one that go generated.
func copyModule(m *goModule, to string) error {
	if err := copyTree(m.Dir, to); err != nil {
		return err
	}
	_, err := os.Stat(filepath.Join(m.Dir, "go.mod"))
	if err == nil || m.GoMod == "" {
		return nil
	}
	return copyFile(m.GoMod, filepath.Join(to, "go.mod"))
}

// copyFile copies a file, or its replacement in the build's own overlay.
func (o *output) copyFile(from, to string) error {
	text, err := o.tools.Overlay.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

// copyTree copies the regular files below a directory.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(target, 0o777)
		case d.Type().IsRegular():
			return copyFile(path, target)
		}
		return nil
	})
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

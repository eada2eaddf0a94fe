package instrument

import (
	"context"
	"maps"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// Changed is what the go command needs in addition for a build with other texts of some files.
type Changed struct {
	Flags, Env []string
	Files      int // number of changed files
}

// Change prepares a build of cfg's packages in which files have other texts, without probes and without a change of the
// sources. The files are absolute paths in these packages. change gets the text of a file and returns the new one; no
// line may move. Of cfg only Dir, Go, Packages, Tests, Flags, Env and Work count. If no text changes, the result is zero.
func Change(ctx context.Context, cfg Config, files []string, change func(path, text string) string) (Changed, error) {
	var err error
	if cfg.Work, err = filepath.Abs(cfg.Work); err != nil {
		return Changed{}, err
	}
	t, err := toolchain.Find(ctx, cfg.command(), cfg.Flags...)
	if err != nil {
		return Changed{}, err
	}
	texts := make(map[string]string)
	for _, path := range files {
		text, err := t.Overlay.ReadFile(path)
		if err != nil {
			return Changed{}, err
		}
		if to := change(path, string(text)); to != string(text) {
			texts[path] = to
		}
	}
	if len(texts) == 0 {
		return Changed{}, nil
	}
	o := &output{cfg: &cfg, tools: t, replace: maps.Clone(t.Overlay)}
	if o.replace == nil {
		o.replace = make(toolchain.Overlay)
	}
	if err := o.change(ctx, texts); err != nil {
		return Changed{}, err
	}
	return Changed{Flags: o.flags, Env: o.env, Files: len(texts)}, nil
}

// change writes the files of the build, and their overlay.
func (o *output) change(ctx context.Context, texts map[string]string) error {
	if err := os.MkdirAll(o.cfg.Work, 0o700); err != nil {
		return err
	}
	listed, err := o.cfg.list(ctx, nil, o.cfg.patterns())
	if err != nil {
		return err
	}
	pkgs := make(map[*goPackage]bool)
	for _, p := range listed {
		pkgs[p] = true
	}
	if err := o.modules(ctx, pkgs); err != nil {
		return err
	}
	for path, text := range texts {
		if err := o.file(path, text); err != nil {
			return err
		}
	}
	overlay := filepath.Join(o.cfg.Work, "overlay.json")
	if err := o.replace.WriteFile(overlay); err != nil {
		return err
	}
	o.flags = append([]string{"-overlay=" + overlay}, o.flags...)
	return nil
}

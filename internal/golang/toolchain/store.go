package toolchain

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// jsonFile is the name of the file for go's flag -overlay.
const jsonFile = "overlay.json"

// CacheDir returns the directory of patches for later builds, where only this user can write: what it contains is compiled into
// programs.
func CacheDir() (string, error) {
	dir, err := tempdir.UserDir()
	return filepath.Join(dir, "overlay"), err
}

// Install writes the files of the patch below dir and returns the overlay. The files are in a directory named after
// their content. A later Install of the same patch reuses it and updates its modification time. The complete
// directory is moved to its place, so several processes may install at once.
func (p *Patch) Install(dir string) (Overlay, error) {
	home, replace, files := p.layout(dir, p.Sum())
	return replace, ensureInstalled(home, files)
}

// Write installs the patch and returns the path of a file for go's flag -overlay. also contains the other files that
// the build replaces; none may be in [Patch.Conflicts].
func (p *Patch) Write(dir string, also Overlay) (string, error) {
	text, err := json.Marshal(also)
	if err != nil {
		return "", err
	}
	name := p.Sum()
	if len(also) > 0 {
		name += "-" + sum(string(text))
	}
	home, replace, files := p.layout(dir, name)
	maps.Copy(replace, also)
	if files[jsonFile], err = replace.encode(); err != nil {
		return "", err
	}
	return filepath.Join(home, jsonFile), ensureInstalled(home, files)
}

// layout returns where the files of the patch are stored: the directory, the overlay, and the texts by path in the
// directory.
func (p *Patch) layout(dir, name string) (home string, replace Overlay, files map[string]string) {
	home = filepath.Join(dir, name)
	replace, files = make(Overlay), make(map[string]string)
	for _, f := range p.files {
		stored := strings.ReplaceAll(f.name, "/", string(filepath.Separator))
		files[stored] = f.text
		replace[f.path] = filepath.Join(home, stored)
	}
	return home, replace, files
}

// ensureInstalled installs the files in home unless they are there.
func ensureInstalled(home string, files map[string]string) error {
	for range 2 {
		if hasFiles(home, files) {
			now := time.Now()
			os.Chtimes(home, now, now)
			return nil
		}
		if err := install(home, files); err != nil {
			return fmt.Errorf("overlay: %w", err)
		}
	}
	return fmt.Errorf("overlay: %s loses files that are written to it", home)
}

// hasFiles reports whether a directory contains the files, unchanged.
func hasFiles(dir string, files map[string]string) bool {
	for name, text := range files {
		if have, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(have) != text {
			return false
		}
	}
	return true
}

// install writes the files to a new directory and moves it to home. If another process was faster, its directory stays.
func install(home string, files map[string]string) error {
	dir := filepath.Dir(home)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	p, err := tempdir.DirIn(dir, "make")
	if err != nil {
		return err
	}
	defer p.Remove()
	work := p.Path
	for name, text := range files {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	if os.Rename(work, home) == nil || hasFiles(home, files) {
		return nil
	}
	if err := os.RemoveAll(home); err != nil { // damaged
		return err
	}
	if err := os.Rename(work, home); err != nil && !hasFiles(home, files) {
		return err
	}
	return nil
}

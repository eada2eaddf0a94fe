package toolchain

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// jsonFile is the name of the file for go's flag -overlay.
const jsonFile = "overlay.json"

// CacheDir is where patches are kept for the next build: below the user's cache directory, or
// below that of temporary files if there is none.
func CacheDir() string {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	return filepath.Join(cache, "tare", "overlay")
}

// Install writes the files of the patch below dir and returns what replaces what. They are in a
// directory named after their content, which the next Install of the same patch uses again and
// marks as used by its time. It is moved there when it is complete, so that several processes
// may install at once.
func (p *Patch) Install(dir string) (Overlay, error) {
	home, replace, files := p.stored(dir, p.Sum())
	return replace, keep(home, files)
}

// Write installs the patch and returns the path of a file for go's flag -overlay. Also are the
// other files that the build replaces; they may not be in [Patch.Conflicts].
func (p *Patch) Write(dir string, also Overlay) (string, error) {
	text, err := json.Marshal(also)
	if err != nil {
		return "", err
	}
	name := p.Sum()
	if len(also) > 0 {
		name += "-" + sum(string(text))
	}
	home, replace, files := p.stored(dir, name)
	maps.Copy(replace, also)
	if files[jsonFile], err = replace.encode(); err != nil {
		return "", err
	}
	return filepath.Join(home, jsonFile), keep(home, files)
}

// stored says where the files of the patch are kept: the directory, the overlay, and the texts by
// their paths in the directory.
func (p *Patch) stored(dir, name string) (home string, replace Overlay, files map[string]string) {
	home = filepath.Join(dir, name)
	replace, files = make(Overlay), make(map[string]string)
	for _, f := range p.files {
		stored := strings.ReplaceAll(f.name, "/", string(filepath.Separator))
		files[stored] = f.text
		replace[f.path] = filepath.Join(home, stored)
	}
	return home, replace, files
}

// keep makes the directory home hold the files, unless it does.
func keep(home string, files map[string]string) error {
	for range 2 {
		if holds(home, files) {
			now := time.Now()
			os.Chtimes(home, now, now)
			return nil
		}
		if err := install(home, files); err != nil {
			return fmt.Errorf("overlay: %w", err)
		}
	}
	return fmt.Errorf("overlay: %s does not keep what is written to it", home)
}

// holds reports whether a directory has the files, unchanged.
func holds(dir string, files map[string]string) bool {
	for name, text := range files {
		if have, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(have) != text {
			return false
		}
	}
	return true
}

// install makes a directory with the files and moves it to its place. If another process was
// faster, that process's directory stays.
func install(home string, files map[string]string) error {
	dir := filepath.Dir(home)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp(dir, ".make-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for name, text := range files {
		path := filepath.Join(work, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return err
		}
	}
	if os.Rename(work, home) == nil || holds(home, files) {
		return nil
	}
	if err := os.RemoveAll(home); err != nil { // it is damaged
		return err
	}
	if err := os.Rename(work, home); err != nil && !holds(home, files) {
		return err
	}
	return nil
}

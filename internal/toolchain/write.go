package toolchain

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// jsonFile is the name of what go's flag -overlay wants.
const jsonFile = "overlay.json"

// Write puts the overlay's files below dir and returns the path of the file for
// go's flag -overlay. They are in a directory named after their content, which
// is used again by the next Write of the same, and marked as used by its time.
// It is moved there when it is complete, so that several may write at once.
//
// also are replacements of other files that the build needs, as in such a file:
// absolute paths to absolute paths, or to "" for a file that is not to be there.
func (o *Overlay) Write(dir string, also map[string]string) (string, error) {
	text, err := json.Marshal(also)
	if err != nil {
		return "", err
	}
	name := o.Sum()
	if len(also) > 0 {
		name += "-" + sum(string(text))
	}
	final := filepath.Join(dir, name)
	files, err := o.contents(final, also)
	if err != nil {
		return "", err
	}
	for range 2 {
		if holds(final, files) {
			now := time.Now()
			os.Chtimes(final, now, now)
			return filepath.Join(final, jsonFile), nil
		}
		if err := install(dir, final, files); err != nil {
			return "", fmt.Errorf("overlay: %w", err)
		}
	}
	return "", fmt.Errorf("overlay: %s does not keep what is written to it", final)
}

// contents are the files of a directory of that path.
func (o *Overlay) contents(final string, also map[string]string) (map[string]string, error) {
	files := make(map[string]string)
	replace := make(map[string]string)
	for from, to := range also {
		replace[from] = to
	}
	for _, f := range o.files {
		files[f.name] = f.text
		replace[f.path] = filepath.Join(final, f.name)
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return nil, err
	}
	files[jsonFile] = string(text) + "\n"
	return files, nil
}

// holds reports whether a directory has the files, whole.
func holds(dir string, files map[string]string) bool {
	for name, text := range files {
		if have, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(have) != text {
			return false
		}
	}
	return true
}

// install makes a directory with the files and moves it to its place. Where
// somebody else was faster, theirs stays.
func install(dir, final string, files map[string]string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp(dir, ".make-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	if os.Rename(work, final) == nil || holds(final, files) {
		return nil
	}
	if err := os.RemoveAll(final); err != nil { // it is damaged
		return err
	}
	if err := os.Rename(work, final); err != nil && !holds(final, files) {
		return err
	}
	return nil
}

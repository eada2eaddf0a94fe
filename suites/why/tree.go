package why

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Write writes a side of the seed to dir, as a module that has its package only: go.mod and the files of the package, with
// the edits applied if changed is true. base is the directory of the module that is edited.
func (s *Seed) Write(base, dir string, changed bool) error {
	mod, err := os.ReadFile(filepath.Join(base, "go.mod"))
	if err != nil {
		return err
	}
	files, err := s.Files(base, changed)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(s.Package)), 0o777); err != nil {
		return err
	}
	files["go.mod"] = string(mod)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Files returns the texts of the package's files on one side, by their names below base, with slashes.
func (s *Seed) Files(base string, changed bool) (map[string]string, error) {
	paths, err := filepath.Glob(filepath.Join(base, filepath.FromSlash(s.Package), "*.go"))
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[s.Package+"/"+filepath.Base(path)] = string(text)
	}
	if !changed {
		return files, nil
	}
	for _, e := range s.Edits {
		text, ok := files[e.File]
		if !ok {
			return nil, fmt.Errorf("seed %s: %s is no file of package %s", s.Name, e.File, s.Package)
		}
		if n := strings.Count(text, e.Old); n != 1 {
			return nil, fmt.Errorf("seed %s: %s has the text %q %d times, want once", s.Name, e.File, e.Old, n)
		}
		files[e.File] = strings.Replace(text, e.Old, e.New, 1)
	}
	return files, nil
}

// Line returns the number of the line in which the seed was planted, from 1, in the tree after the change.
func (s *Seed) Line(base string) (int, error) {
	files, err := s.Files(base, true)
	if err != nil {
		return 0, err
	}
	text := files[s.Place.File]
	if n := strings.Count(text, s.Place.Line); n != 1 {
		return 0, fmt.Errorf("seed %s: %s has the text %q %d times, want once", s.Name, s.Place.File, s.Place.Line, n)
	}
	before, _, _ := strings.Cut(text, s.Place.Line)
	return strings.Count(before, "\n") + 1, nil
}

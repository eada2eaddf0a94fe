package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// Folder is a store in a directory. It also keeps entries of working trees with changes.
type Folder struct{ dir string }

// OpenFolder returns the store in a directory, which Add makes if there is none.
func OpenFolder(dir string) *Folder { return &Folder{dir} }

// Clean returns false.
func (s *Folder) Clean() bool { return false }

func (s *Folder) String() string { return s.dir }

// create opens the directory, and makes it if there is none. Links in it, which a repository may contain, lead nowhere else.
func (s *Folder) create() (*os.Root, error) {
	dir, err := tempdir.MkdirAll(s.dir, 0o777)
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// Add writes each entry to a file of its own.
func (s *Folder) Add(ctx context.Context, entries []*Entry) (added int, err error) {
	files, err := encodeAll(entries)
	if err != nil {
		return 0, err
	}
	root, err := s.create()
	if err != nil {
		return 0, err
	}
	defer root.Close()
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return added, err
		}
		if exists(root, f.tombstone()) || exists(root, f.Path()) {
			continue
		}
		if err := writeFile(root, f.Path(), f.content); err != nil {
			return added, err
		}
		added++
	}
	return added, nil
}

func exists(root *os.Root, path string) bool {
	_, err := root.Lstat(filepath.FromSlash(path))
	return err == nil
}

// writeFile writes a file, whole or not at all.
func writeFile(root *os.Root, path string, content []byte) error {
	path = filepath.FromSlash(path)
	if err := root.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("%s: %w", root.Name(), err)
	}
	return tempdir.WriteFile(filepath.Join(root.Name(), path), content, 0o600)
}

// List reads the names in the directory.
func (s *Folder) List(ctx context.Context) (files []File, damage []Damage, err error) {
	root, err := os.OpenRoot(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil // nothing was added yet
	}
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	gone := map[File]bool{}
	err = fs.WalkDir(root.FS(), top, func(p string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && p == top && errors.Is(err, fs.ErrNotExist):
			return fs.SkipAll // nothing was added yet
		case err != nil:
			damage = append(damage, Damage{p, err.Error()})
			return nil
		}
		if f, isGone, ok := parsePath(p); ok && isGone {
			gone[f] = true
		} else if ok && d.Type().IsRegular() {
			files = append(files, f)
		}
		return nil
	})
	return without(files, gone), damage, err
}

// without returns files without those that are gone, sorted.
func without(files []File, gone map[File]bool) []File {
	var out []File
	for _, f := range files {
		if !gone[File{Commit: f.Commit, Run: f.Run}] {
			out = append(out, f)
		}
	}
	sortFiles(out)
	return out
}

// Read reads the files of entries.
func (s *Folder) Read(ctx context.Context, files []File, keep func(Key) bool, each func(File, *Entry)) ([]Damage, error) {
	if len(files) == 0 {
		return nil, ctx.Err()
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	d := newDecoder(keep, each)
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		content, err := readEntry(root, f)
		if err != nil {
			d.lose(f, err.Error())
			continue
		}
		d.todo <- encoded{f, content}
	}
	return d.close(), ctx.Err()
}

func readEntry(root *os.Root, f File) ([]byte, error) {
	path := filepath.FromSlash(f.Path())
	st, err := root.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() || st.Size() > MaxEntry {
		return nil, fmt.Errorf("is no regular file of at most %d MiB", MaxEntry>>20)
	}
	return root.ReadFile(path)
}

// Prune removes the files of entries.
func (s *Folder) Prune(ctx context.Context, files []File) error {
	root, err := s.create()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := writeFile(root, f.tombstone(), nil); err != nil {
			return err
		}
		if err := root.Remove(filepath.FromSlash(f.Path())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

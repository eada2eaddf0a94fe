package benchrun

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/record"
)

// maxWith bounds a file that is put into revisions, in bytes.
const maxWith = 16 << 20

// FilesWith returns what --with names: files in dir that each revision is to be given at the same path. It fails for what lies
// elsewhere, or is no regular file.
func FilesWith(dir string, paths []string) ([]record.AddedFile, error) {
	var out []record.AddedFile
	for _, path := range paths {
		rel := path
		if filepath.IsAbs(path) {
			var err error
			if rel, err = filepath.Rel(dir, path); err != nil {
				return nil, fmt.Errorf("--with %s: %w", path, err)
			}
		}
		if !filepath.IsLocal(rel) {
			return nil, fmt.Errorf("--with %s: lies outside of the current directory", path)
		}
		_, sum, err := readWith(filepath.Join(dir, rel))
		if err != nil {
			return nil, fmt.Errorf("--with %s: %w", path, err)
		}
		out = append(out, record.AddedFile{Path: filepath.ToSlash(filepath.Clean(rel)), SHA256: sum})
	}
	return out, nil
}

// readWith returns the content of a file, and its digest.
func readWith(path string) (content []byte, sum string, err error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("no such file")
	case !st.Mode().IsRegular() || st.Size() > maxWith:
		return nil, "", fmt.Errorf("is no regular file of at most %d MiB", maxWith>>20)
	}
	if content, err = os.ReadFile(path); err != nil {
		return nil, "", err
	}
	digest := sha256.Sum256(content)
	return content, hex.EncodeToString(digest[:]), nil
}

// addFiles puts the files of --with into the worktree of a side. The name of the side in the cache of binaries says which they are.
func (b *Built) addFiles(x *builtSide) error {
	all := sha256.New()
	for _, f := range b.Run.Config.With {
		content, sum, err := readWith(filepath.Join(b.Run.Dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return exit.Failed(fmt.Errorf("--with %s: %w", f.Path, err), "")
		}
		if sum != f.SHA256 {
			return exit.Failed(fmt.Errorf("--with %s: has changed since the run began", f.Path), "")
		}
		if err := put(x.tree.Dir, f.Path, content); err != nil {
			return exit.Failed(fmt.Errorf("--with %s: %s: %w", f.Path, x.Name, err), "")
		}
		fmt.Fprintf(all, "%s %s\n", f.Path, sum)
		x.with = "+" + hex.EncodeToString(all.Sum(nil)[:8])
	}
	return nil
}

// put writes a file below a directory, in place of what is there. It follows no symbolic link that leads out of it: a revision may
// hold any.
func put(dir, path string, content []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(filepath.FromSlash(path)), 0o755); err != nil {
		return err
	}
	if err := root.Remove(filepath.FromSlash(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return root.WriteFile(filepath.FromSlash(path), content, 0o644)
}

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
	"github.com/tarebench/tare/internal/measure/job"
)

// addFiles puts the files of --with into the worktree of a side. The name of the side in the cache of binaries says
// which they are.
func (b *Built) addFiles(x *builtSide) error {
	all := sha256.New()
	for _, f := range b.Run.Config.With {
		content, sum, err := job.ReadFile(filepath.Join(b.Run.Dir, filepath.FromSlash(f.Path)))
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

// put writes a file below a directory, in place of what is there. It follows no symbolic link that leads out of it: a
// revision may hold any.
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

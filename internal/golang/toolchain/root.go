package toolchain

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ReplaceableRoot returns a path of a GOROOT below which go applies overlays. This is root itself, unless root is in
// the module cache, as toolchains that go downloads are: there go applies no overlay. Then it is a symbolic link
// below dir, which is created if missing. The modification time of the link's directory is that of the last use. The
// path does not affect what the toolchain builds.
//
// If the result differs from root, run go as [GoCommand] with [GoEnv]: the go command in PATH would run another
// toolchain's compiler.
func ReplaceableRoot(dir, root, modcache string) (string, error) {
	if modcache == "" || !strings.HasPrefix(root, filepath.Clean(modcache)+string(filepath.Separator)) {
		return root, nil
	}
	sum := sha256.Sum256([]byte(root))
	home := filepath.Join(dir, fmt.Sprintf("goroot-%x", sum[:8]))
	link := filepath.Join(home, "go")
	err := os.MkdirAll(home, 0o777)
	if err == nil {
		err = os.Symlink(root, link)
	}
	if to, e := os.Readlink(link); e != nil || to != root {
		return "", fmt.Errorf("link to the toolchain: %w", errors.Join(err, e))
	}
	now := time.Now()
	os.Chtimes(home, now, now)
	return link, nil
}

// MakeReplaceable sets the toolchain's root to its [ReplaceableRoot], with the link below dir, and changes c to the
// go command that builds with it.
func (t *Toolchain) MakeReplaceable(dir string, c *Command) error {
	root, err := ReplaceableRoot(dir, t.Root, t.ModCache)
	if err != nil || root == t.Root {
		return err
	}
	t.Overlay = t.Overlay.Rerooted(t.Root, root)
	t.Root, c.Go = root, GoCommand(root)
	if c.Env == nil {
		c.Env = os.Environ()
	}
	c.Env = append(slices.Clone(c.Env), GoEnv(root)...)
	return nil
}

// GoCommand returns the path of the go command of a GOROOT.
func GoCommand(root string) string { return filepath.Join(root, "bin", "go") }

// GoEnv returns the additional environment of [GoCommand].
func GoEnv(root string) []string { return []string{"GOROOT=" + root, "GOTOOLCHAIN=local"} }

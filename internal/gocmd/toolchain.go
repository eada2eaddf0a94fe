package gocmd

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Outside returns another path of a GOROOT that lies in the module cache, as that of a
// toolchain does that go has fetched, and root itself of any other: go refuses to replace
// files there. The path is that of a symbolic link below dir, which is made if it is
// not there, and marked as used by the time of its directory. What the toolchain
// builds does not depend on the path.
//
// go has to run with [Path] and [Env] then: the go command in PATH would take another
// toolchain's compiler for its own.
func Outside(dir, root, modcache string) (string, error) {
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
		return "", fmt.Errorf("a second name for the toolchain: %w", errors.Join(err, e))
	}
	now := time.Now()
	os.Chtimes(home, now, now)
	return link, nil
}

// Path is the go command of a toolchain.
func Path(root string) string { return filepath.Join(root, "bin", "go") }

// Env is what has to be added to the environment of that go command.
func Env(root string) []string { return []string{"GOROOT=" + root, "GOTOOLCHAIN=local"} }

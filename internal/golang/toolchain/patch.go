package toolchain

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Patch is a set of files, added or changed, for one build: of the standard library, or of a package that exists only in
// that build. The same toolchain and request give the same bytes, so that go compiles them once and then takes them from
// its cache.
type Patch struct {
	files []file
}

type file struct {
	name string // relative to GOROOT/src or the directory of the package, with slashes
	path string // absolute
	text string
}

// newPatch returns a patch of texts by file.name.
func (t *Toolchain) newPatch(texts map[string]string) *Patch { return patchOf(texts, t.src) }

// Package returns a patch that adds a package: texts by the names of its files. Its directory, an absolute path, need not
// exist, and must not be below the module cache.
func Package(dir string, texts map[string]string) *Patch {
	return patchOf(texts, func(name string) string { return filepath.Join(dir, name) })
}

// patchOf returns a patch of texts by file.name; path returns where a file is.
func patchOf(texts map[string]string, path func(name string) string) *Patch {
	p := new(Patch)
	for name, text := range texts {
		p.files = append(p.files, file{name, path(name), text})
	}
	slices.SortFunc(p.files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return p
}

// Sum returns a hash of the patch: of its files and their paths.
func (p *Patch) Sum() string {
	text := new(strings.Builder)
	for _, f := range p.files {
		fmt.Fprintf(text, "%q %q\n", f.path, f.text)
	}
	return sum(text.String())
}

func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return hex.EncodeToString(h[:16])
}

// Conflicts returns the paths that another overlay may not replace: those of files in the patch or of directories above
// them.
func (p *Patch) Conflicts(paths ...string) []string {
	var out []string
	for _, path := range paths {
		path = filepath.Clean(path)
		if slices.ContainsFunc(p.files, func(f file) bool {
			return path == f.path || strings.HasPrefix(f.path, path+string(filepath.Separator))
		}) {
			out = append(out, path)
		}
	}
	return out
}

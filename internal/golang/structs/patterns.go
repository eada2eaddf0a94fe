package structs

import (
	"path/filepath"
	"slices"
	"strings"
)

// meant reports whether a type may be one of the package.
func (q Query) meant(w Want, p *pkg) bool {
	if w.Package == "" {
		return len(q.Packages) == 0 && q.matches(".", p) || slices.ContainsFunc(q.Packages, func(pattern string) bool { return q.matches(pattern, p) })
	}
	return q.matches(w.Package, p)
}

// matches reports whether go means a package by a pattern.
func (q Query) matches(pattern string, p *pkg) bool {
	if !strings.HasPrefix(pattern, ".") && !filepath.IsAbs(pattern) {
		return matchDots(pattern, p.PkgPath)
	}
	if !filepath.IsAbs(pattern) {
		dir, err := filepath.Abs(filepath.Join(q.Dir, pattern))
		if err != nil {
			return false
		}
		pattern = dir
	}
	return matchDots(filepath.ToSlash(resolve(pattern)), filepath.ToSlash(resolve(p.Dir)))
}

// resolve follows links, as go does, as far as the path exists.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return filepath.Clean(path)
}

// matchDots reports whether a package path matches a pattern of the go command, in which ... stands for any text
// and /... also for none.
func matchDots(pattern, name string) bool {
	if rest, ok := strings.CutSuffix(pattern, "/..."); ok && matchDots(rest, name) {
		return true
	}
	head, tail, ok := strings.Cut(pattern, "...")
	if !ok {
		return pattern == name || pattern == "all"
	}
	if !strings.HasPrefix(name, head) {
		return false
	}
	for i := len(head); i <= len(name); i++ {
		if matchDots(tail, name[i:]) {
			return true
		}
	}
	return false
}

package toolchain

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Missing reports what a package pattern names that does not exist: "directory", or "file" if it has the suffix of a
// source or a record. It is "" if that exists, and for what is no path: an import path, path@version. A relative path
// begins at dir. go itself looks for a module first, and says that there is none.
func Missing(dir, pattern string) string {
	what := ""
	switch {
	case strings.HasSuffix(pattern, ".go"), strings.HasSuffix(pattern, ".jsonl"):
		what = "file"
	case IsLocal(pattern):
		what = "directory"
	default:
		return ""
	}
	if before, _, wild := strings.Cut(filepath.ToSlash(pattern), "..."); wild {
		pattern = before[:strings.LastIndexByte(before, '/')+1]
	}
	if !filepath.IsAbs(pattern) {
		pattern = filepath.Join(dir, pattern)
	}
	if _, err := os.Stat(pattern); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return what
}

// IsLocal reports whether a package pattern is a path: it is absolute, or begins with . or .. as go demands.
func IsLocal(pattern string) bool {
	return pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") ||
		strings.HasPrefix(pattern, "../") || filepath.IsAbs(pattern)
}

package toolchain

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// absent matches what go says about a name for which there is nothing.
var absent = regexp.MustCompile(`directory not found|l?stat \S*: no such file or directory|is not in std|matched no packages|unknown revision|no matching versions for query|of standard library package`)

// position begins what go says about a place in a source.
var position = regexp.MustCompile(`\.go:\d+(:\d+)?: `)

// SaysAbsent reports whether the output of a go command says that there is no package by the name it was given. A package
// that is imported somewhere and does not exist is another matter.
func SaysAbsent(output string) bool {
	for line := range strings.Lines(output) {
		if absent.MatchString(line) && !position.MatchString(line) {
			return true
		}
	}
	return false
}

// Missing reports what a package pattern names that does not exist: "directory", or "file" if it has the suffix of a
// source or a record. It is "" if that exists, and for what is no path: an import path, path@version. A relative path
// begins at dir. go itself searches for a module first, and says that there is none.
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

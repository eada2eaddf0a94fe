package ci

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var moduleLine = regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`)

// Sources locates benchmarks of the module in a directory. Files are named relative to the root of the repository.
type Sources struct{ Root, Module string }

// Locate returns the file and line of a benchmark; "" and 0 if it is not found. A sub-benchmark is found at its top-level function.
func (s Sources) Locate(pkg, name string) (string, int) {
	text, err := os.ReadFile(filepath.Join(s.Module, "go.mod"))
	module := moduleLine.FindSubmatch(text)
	if err != nil || module == nil {
		return "", 0
	}
	below, ok := strings.CutPrefix(pkg+"/", string(module[1])+"/")
	top, _, _ := strings.Cut(name, "/")
	if !ok {
		return "", 0
	}
	files, _ := filepath.Glob(filepath.Join(globEscape(filepath.Join(s.Module, filepath.FromSlash(below))), "*_test.go"))
	declared := regexp.MustCompile(`(?m)^func Benchmark` + regexp.QuoteMeta(top) + `\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		at := declared.FindIndex(text)
		if err != nil || at == nil {
			continue
		}
		rel, err := filepath.Rel(s.Root, file)
		if err != nil || strings.HasPrefix(rel, "..") {
			return "", 0
		}
		return filepath.ToSlash(rel), 1 + bytes.Count(text[:at[0]], []byte("\n"))
	}
	return "", 0
}

// globEscape quotes a path for filepath.Glob.
func globEscape(path string) string {
	return strings.NewReplacer(`*`, `[*]`, `?`, `[?]`, `[`, `[[]`).Replace(path)
}

package gofunc

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestAreaFiles: the runtime has the files that the areas are made of.
func TestAreaFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(goroot(t), "src", "runtime", "*.go"))
	if err != nil || len(files) == 0 {
		t.Skipf("no sources of the runtime: %v", err)
	}
	for _, part := range runtimeParts {
		for word := range strings.FieldsSeq(part.files) {
			found := false
			for _, file := range files {
				found = found || begins(strings.TrimSuffix(filepath.Base(file), ".go"), word)
			}
			if !found {
				t.Errorf("%s: the runtime of %s has no file %s", part.area, runtime.Version(), word)
			}
		}
	}
}

// TestStdRoots: the standard library has no package of another kind.
func TestStdRoots(t *testing.T) {
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Skip(err)
	}
	seen := map[string]bool{}
	for pkg := range strings.FieldsSeq(string(out)) {
		root, _, _ := strings.Cut(pkg, "/")
		seen[root] = true
		if !IsStd(pkg) {
			t.Errorf("%s is not known", pkg)
		}
	}
	for root := range strings.FieldsSeq(stdRoots) {
		if !seen[root] {
			t.Errorf("%s is not of the standard library", root)
		}
	}
}

func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip(err)
	}
	return strings.TrimSpace(string(out))
}

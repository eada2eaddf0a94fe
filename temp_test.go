package tare

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tempPackage is the only package that names directories in which other users can write, and the user's cache.
const tempPackage = "internal/base/tempdir"

// sharedDirs are such directories and the variable that names one.
var sharedDirs = []string{"/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/var/lock", "TMPDIR"}

// tempExceptions are what other packages may say of such directories, with the reason.
var tempExceptions = map[string]string{
	"internal/base/env os.TempDir":              "reports how much room there is",
	"internal/base/env os.UserCacheDir":         "reports how much room there is",
	"internal/base/env TMPDIR":                  "names the variable in advice",
	"internal/golang/helper os.UserCacheDir":    "asks whether the go command has a cache",
	"internal/binary/samecode os.TempDir":       "leaves out what lies in it of the files of a package",
	"internal/measure/benchrun os.TempDir":      "leaves out what lies in it of the files of a package",
	"internal/base/diagnosis os.TempDir":        "names the directory in advice",
	"dev/attack/target TMPDIR":                  "gives the command a directory of its own",
	"dev/attack/measuring TMPDIR":               "finds processes by it",
	"internal/testkit/loadtest TMPDIR":          "gives tests a directory of their own",
	"internal/testkit/proftest TMPDIR":          "gives tests a directory of their own",
	"dev/breadth TMPDIR":                        "gives commands a directory of their own",
	"queue/queuetest os.TempDir":                "is for tests of users, and takes new names",
	"queue/queuetest os.CreateTemp":             "is for tests of users, and takes new names",
	"suites/queues os.UserCacheDir":             "keeps compiled classes in a directory of its own",
	"suites/queues os.MkdirTemp":                "takes a new name, and is no part of the command",
	"suites/why/cmd/judge os.MkdirTemp":         "takes a new name, and is no part of the command",
	"suites/caches/cmd/capacities os.MkdirTemp": "takes a new name, and is no part of the command",
}

// TestTemporaryPlaces: what a run writes for a time is a place of package tempdir, so that the next run removes what a
// killed one left. And no code opens a fixed name in a directory where others can write: they could have put a link or a pipe
// there. Package tempdir has what others need of such directories.
func TestTemporaryPlaces(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		if pkg == tempPackage {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, what := range sharedNames(file) {
			key := pkg + " " + what
			used[key] = true
			if tempExceptions[key] == "" {
				t.Errorf("%s: %s: anybody can write there; use %s, or give a reason in tempExceptions", path, what, tempPackage)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for key := range tempExceptions {
		if !used[key] {
			t.Errorf("tempExceptions has %q, which is not in the sources", key)
		}
	}
}

// sharedNames returns what a file says of directories where others can write: functions that return or use one, and
// literals with the names of some.
func sharedNames(file *ast.File) (found []string) {
	functions := map[string][]string{
		"os":        {"TempDir", "MkdirTemp", "CreateTemp", "UserCacheDir"},
		"io/ioutil": {"TempDir", "TempFile"},
	}
	local := map[string]string{} // names of imported packages
	for _, x := range file.Imports {
		path, _ := strconv.Unquote(x.Path.Value)
		if functions[path] != nil {
			local[filepath.Base(path)] = path
			if x.Name != nil {
				local[x.Name.Name] = path
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && slices.Contains(functions[local[x.Name]], n.Sel.Name) {
				found = append(found, filepath.Base(local[x.Name])+"."+n.Sel.Name)
			}
		case *ast.BasicLit:
			text, err := strconv.Unquote(n.Value)
			if n.Kind != token.STRING || err != nil {
				break
			}
			for _, dir := range sharedDirs {
				if text == dir || strings.HasPrefix(text, dir+"/") || strings.HasPrefix(text, dir+"=") {
					found = append(found, dir)
				}
			}
		}
		return true
	})
	return found
}

// TestSharedNames makes sure that the check can fail.
func TestSharedNames(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
import ("os"; system "os"; "io/ioutil")
var a, b = os.TempDir(), system.CreateTemp
var c, d, e = "/tmp", "/dev/shm/x", "/tmpfs"
var f = ioutil.TempFile
var g = os.Getenv("TMPDIR")
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(sharedNames(file)), "[os.TempDir os.CreateTemp /tmp /dev/shm ioutil.TempFile TMPDIR]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// scriptNames matches the names of scripts and of what runs them.
var scriptNames = regexp.MustCompile(`(^|/)(\.ci/[^/]+|\.github/.*|action\.yml|Makefile|[^/]+\.sh)$`)

// TestScripts: nor do scripts open fixed names there: a line that names such a directory makes a new name in it.
func TestScripts(t *testing.T) {
	exceptions := map[string]string{
		"export TMPDIR=$work TARE_RUNLOG=off":                               "is made by mktemp",
		"TMPDIR=$dir \"$tare\" bench --dry-run --quick --progress none . |": "is made by mktemp",
	}
	names := regexp.MustCompile(`/tmp\b|/dev/shm|TMPDIR`)
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if d.IsDir() || !scriptNames.MatchString(filepath.ToSlash(path)) {
			return nil
		}
		seen++
		text, err := os.ReadFile(path)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); names.MatchString(line) && !strings.Contains(line, "mktemp") && exceptions[line] == "" {
				t.Errorf("%s: %s: anybody can write there; use mktemp", path, line)
			}
		}
		return err
	})
	if err != nil || seen < 5 {
		t.Errorf("%d scripts, %v", seen, err)
	}
}

package tare

import (
	"bytes"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tarebench/tare"

// house is what ARCHITECTURE.md says of imports.
type house struct {
	rooms     map[string][]string // by room: the rooms that it may import; "all", or "but" and others
	libraries map[string][]string // by library: the packages that may import it, with those below them
}

// TestArchitecture holds the tables of ARCHITECTURE.md against the imports in the sources. It parses the files itself: a
// test that asks the go command is served from the test cache after a forbidden import was added.
func TestArchitecture(t *testing.T) {
	h := readHouse(t)
	seen := map[string]bool{}
	for file := range goFiles(t) {
		pkg := path.Dir(filepath.ToSlash(file))
		if pkg == "." {
			continue
		}
		seen[roomOf(pkg)] = true
		for _, imported := range imports(t, file) {
			if !h.allows(pkg, imported, strings.HasSuffix(file, "_test.go")) {
				t.Errorf("%s: ARCHITECTURE.md does not let it import %s", file, imported)
			}
		}
	}
	for room := range h.rooms {
		if !seen[room] {
			t.Errorf("ARCHITECTURE.md has a row for %s, which has no Go files", room)
		}
	}
}

// allows reports whether a file of a package, perhaps a test, may import a path. Tests may import all but the command.
func (h house) allows(pkg, imported string, test bool) bool {
	first, _, _ := strings.Cut(imported, "/")
	own, ours := strings.CutPrefix(imported, module+"/")
	switch {
	case !strings.Contains(first, "."):
		return true // standard library
	case !ours:
		return test || h.allowsLibrary(pkg, imported)
	case roomOf(pkg) == roomOf(own):
		return h.known(pkg)
	case roomOf(own) == "cli":
		return roomOf(pkg) == "cmd"
	case test:
		return true
	}
	return h.known(pkg) && may(h.rooms[roomOf(pkg)], roomOf(own))
}

func (h house) known(pkg string) bool {
	_, ok := h.rooms[roomOf(pkg)]
	return ok
}

// may reports whether a row of rooms has one.
func may(row []string, room string) bool {
	if len(row) == 0 || row[0] != "all" {
		return slices.Contains(row, room)
	}
	return !slices.Contains(row, room)
}

func (h house) allowsLibrary(pkg, imported string) bool {
	for lib, in := range h.libraries {
		if below(imported, lib) && slices.ContainsFunc(in, func(p string) bool { return below(pkg, p) }) {
			return true
		}
	}
	return false
}

func below(p, top string) bool { return p == top || strings.HasPrefix(p, top+"/") }

// roomOf returns the room of a package: the folder in internal, or the first element of its path.
func roomOf(pkg string) string {
	parts := strings.Split(pkg, "/")
	if parts[0] == "internal" && len(parts) > 1 {
		return parts[1]
	}
	return parts[0]
}

// readHouse reads the tables of rooms and of libraries: rows of three cells whose first has names in backquotes.
func readHouse(t *testing.T) house {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	h := house{map[string][]string{}, map[string][]string{}}
	var table string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 {
			table = ""
			continue
		}
		head, isHead := strings.TrimSpace(cells[1]), table == ""
		if isHead {
			table = head
		}
		for _, name := range names(cells[1]) {
			switch table {
			case "room":
				h.rooms[roomOf(name)] = row(cells[3])
			case "library":
				h.libraries[name] = names(cells[2])
			}
		}
	}
	if len(h.rooms) < 12 || len(h.libraries) < 12 {
		t.Fatalf("ARCHITECTURE.md has %d rooms and %d libraries", len(h.rooms), len(h.libraries))
	}
	return h
}

// names returns what a cell has in backquotes.
func names(cell string) (out []string) {
	for i, s := range strings.Split(cell, "`") {
		if i%2 == 1 {
			out = append(out, s)
		}
	}
	return out
}

// row returns the rooms of a cell; after "all" those that are excepted.
func row(cell string) []string {
	if strings.HasPrefix(strings.TrimSpace(cell), "all") {
		return append([]string{"all"}, names(cell)...)
	}
	return names(cell)
}

// TestFolders: a folder has its package's name, and a folder of internal holds at most 14.
func TestFolders(t *testing.T) {
	folders := map[string]map[string]bool{}
	for file := range goFiles(t) {
		dir := path.Dir(filepath.ToSlash(file))
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if name := strings.TrimSuffix(f.Name.Name, "_test"); below(dir, "internal") && name != path.Base(dir) && name != "main" {
			t.Errorf("%s is package %s", file, name)
		}
		for ; below(dir, "internal/"+roomOf(dir)); dir = path.Dir(dir) {
			parent := path.Dir(dir)
			if folders[parent] == nil {
				folders[parent] = map[string]bool{}
			}
			folders[parent][path.Base(dir)] = true
		}
	}
	for dir, in := range folders {
		if len(in) > 14 {
			t.Errorf("%s holds %d folders", dir, len(in))
		}
	}
}

// TestPictures: package chart alone begins SVG images, so that all of them have one style.
func TestPictures(t *testing.T) {
	for file := range goFiles(t) {
		dir := path.Dir(filepath.ToSlash(file))
		if strings.HasSuffix(file, "_test.go") || !below(dir, "internal") || below(dir, "internal/show/chart") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("<svg")) {
			t.Errorf("%s writes an SVG element: package chart does (Write, Inline, Element, Drawing)", file)
		}
	}
}

// goFiles yields the module's Go files, those for other systems included.
// Nested modules have tables of their own making.
func goFiles(t *testing.T) map[string]bool {
	files := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != "." && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != "." {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, ".go") {
			files[path] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func imports(t *testing.T, file string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range f.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, path)
	}
	return out
}

// TestTablesForbid makes sure that the check can fail.
func TestTablesForbid(t *testing.T) {
	h := readHouse(t)
	for _, c := range []struct {
		pkg, path string
		test      bool
		want      bool
	}{
		{"internal/show/render", "fmt", false, true},
		{"internal/show/render", module + "/record", false, true},
		{"internal/show/render", module + "/internal/show/table", false, true},
		{"internal/show/render", module + "/internal/measure/benchrun", false, false},
		{"internal/show/render", module + "/internal/measure/benchrun", true, true},
		{"internal/result", module + "/internal/show/render", false, false},
		{"internal/measure/benchrun", module + "/internal/show/render", false, false},
		{"internal/numbers/plan", module + "/internal/result", false, false},
		{"internal/base/units", module + "/internal/result", false, false},
		{"internal/process/fork", module + "/internal/profile/asm", false, false},
		{"internal/measure/benchrun", module + "/internal/cli", true, false},
		{"cmd/tare", module + "/internal/cli", false, true},
		{"internal/cli", module + "/internal/testkit/nettest", false, false},
		{"internal/nowhere/x", module + "/record", false, false},
		{"internal/nowhere/x", module + "/internal/nowhere/y", false, false},
		{"internal/cli", "github.com/spf13/cobra", false, true},
		{"internal/measure/benchrun", "github.com/spf13/cobra", false, false},
		{"hist", "github.com/HdrHistogram/hdrhistogram-go", true, true},
		{"hist", "github.com/HdrHistogram/hdrhistogram-go", false, false},
	} {
		if got := h.allows(c.pkg, c.path, c.test); got != c.want {
			t.Errorf("allows(%s, %s, test %v) = %v, want %v", c.pkg, c.path, c.test, got, c.want)
		}
	}
}

// TestArguments: the arguments of the process, and flags, are read in the command alone. Everything else is given values.
func TestArguments(t *testing.T) {
	read := regexp.MustCompile(`\bos\.Args(\[[^0]|[^\[])|\bflag\.(NewFlagSet|Parse|CommandLine)\b|\bpflag\.|\bcobra\.`)
	found := map[string]bool{}
	for path := range goFiles(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		room := filepath.ToSlash(filepath.Dir(path))
		if strings.HasSuffix(path, "_test.go") || !read.Match(text) {
			continue
		}
		found[room] = true
		if strings.HasPrefix(room, "internal/") && !strings.HasPrefix(room, "internal/cli") && !bytes.Contains(text, []byte("\npackage main\n")) {
			t.Errorf("%s reads the command line", path)
		}
	}
	if !found["internal/cli"] || !found["cmd/tare"] {
		t.Errorf("found %v", found)
	}
}

package tare

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/tarebench/tare"

// row is one line of the table in ARCHITECTURE.md.
type row struct{ ours, outside, tests []string }

// TestArchitecture holds the table of ARCHITECTURE.md against the imports in the
// sources. It parses the files itself: a test that asks the go command is served
// from the test cache after a forbidden import was added.
func TestArchitecture(t *testing.T) {
	rows := readTable(t)
	seen := map[string]bool{}
	for file := range goFiles(t) {
		pkg := filepath.ToSlash(filepath.Dir(file))
		seen[pkg] = true
		r, ok := rows[pkg]
		if !ok {
			t.Errorf("%s: package %s has no row in ARCHITECTURE.md; add one, with the reason in the commit", file, pkg)
			continue
		}
		for _, path := range imports(t, file) {
			if !r.allows(pkg, path, strings.HasSuffix(file, "_test.go")) {
				t.Errorf("%s: imports %s, which the row of %s in ARCHITECTURE.md does not allow", file, path, pkg)
			}
		}
	}
	for pkg := range rows {
		if !seen[pkg] {
			t.Errorf("ARCHITECTURE.md has a row for %s, which has no Go files", pkg)
		}
	}
}

func (r row) allows(pkg, path string, test bool) bool {
	first, _, _ := strings.Cut(path, "/")
	if !strings.Contains(first, ".") {
		return true // standard library
	}
	if own, ok := strings.CutPrefix(path, module+"/"); ok {
		return own == pkg || test && own == "internal/testkit/testutil" || among(own, r.ours) || (test && among(own, r.tests))
	}
	return among(path, r.outside) || (test && among(path, r.tests))
}

// among reports whether the path is one of the names, or below one of them; the
// name "all" stands for every package.
func among(path string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return n == "all" || path == n || strings.HasPrefix(path, n+"/")
	})
}

// readTable reads the rows "| `package` | ours | outside | tests |".
func readTable(t *testing.T) map[string]row {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]row{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 7 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		name := strings.Trim(strings.TrimSpace(cells[1]), "`")
		rows[name] = row{words(cells[3]), words(cells[4]), words(cells[5])}
	}
	if len(rows) == 0 {
		t.Fatal("ARCHITECTURE.md has no table of packages")
	}
	return rows
}

func words(cell string) []string {
	return strings.FieldsFunc(cell, func(r rune) bool { return r == ' ' || r == ',' || r == '`' || r == '–' })
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

// TestTableForbids makes sure that the check can fail.
func TestTableForbids(t *testing.T) {
	r := row{ours: []string{"record"}, outside: []string{"golang.org/x/sys"}, tests: []string{"stat"}}
	for _, c := range []struct {
		path string
		test bool
		want bool
	}{
		{"fmt", false, true},
		{module + "/record", false, true},
		{module + "/recorder", false, false},
		{module + "/stat", false, false},
		{module + "/stat", true, true},
		{"golang.org/x/sys/unix", false, true},
		{"golang.org/x/term", true, false},
	} {
		if got := r.allows("report", c.path, c.test); got != c.want {
			t.Errorf("allows(%s, test %v) = %v, want %v", c.path, c.test, got, c.want)
		}
	}
}

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/dev/document"
)

// root is the repository.
const root = "../.."

// documents returns the text of each Markdown document of the repository, by its path.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || path != "." && strings.HasPrefix(d.Name(), ".")) {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".md") {
			text, err := os.ReadFile(filepath.Join(root, path))
			texts[path] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestLinks: each link within the repository leads to a file that is there, and to a heading of it.
func TestLinks(t *testing.T) {
	texts := documents(t)
	for path, text := range texts {
		for _, target := range document.Links(text) {
			if why := deadLink(texts, path, target); why != "" {
				t.Errorf("%s: the link to %s leads nowhere: %s", path, target, why)
			}
		}
	}
}

// deadLink says why a link of the document at path leads nowhere, "" if it leads somewhere or out
// of the repository.
func deadLink(texts map[string]string, path, target string) string {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
		return ""
	}
	file, anchor, _ := strings.Cut(target, "#")
	to := path
	if file != "" {
		to = filepath.ToSlash(filepath.Join(filepath.Dir(path), file))
	}
	if _, err := os.Stat(filepath.Join(root, to)); err != nil {
		return "there is no " + to
	}
	if text, ok := texts[to]; ok && anchor != "" && !document.Anchors(text)[anchor] {
		return "no such heading in " + to
	}
	return ""
}

func TestDeadLink(t *testing.T) {
	texts := documents(t)
	for target, dead := range map[string]bool{
		"verbs/bench.md": false, "../README.md": false, "../bench": false, "https://go.dev/x": false, "#no-such-heading": true,
		"verbs/none.md": true, "method.md#comparisons": false, "method.md#no-such-heading": true,
	} {
		if why := deadLink(texts, "docs/README.md", target); (why != "") != dead {
			t.Errorf("%s: %q", target, why)
		}
	}
}

// TestIndex: docs/README.md links to every page of docs, and README.md to the pages that readers begin with.
func TestIndex(t *testing.T) {
	texts := documents(t)
	links := document.Links(texts["docs/README.md"])
	for path := range texts {
		if page, ok := strings.CutPrefix(path, "docs/"); ok && page != "README.md" && !slices.Contains(links, page) {
			t.Errorf("docs/README.md has no link to %s", page)
		}
	}
	for _, page := range []string{"README.md", "tutorial.md", "method.md", "records.md", "ci.md"} {
		if texts["docs/"+page] == "" {
			t.Errorf("there is no docs/%s", page)
		}
		if !slices.Contains(document.Links(texts["README.md"]), "docs/"+page) {
			t.Errorf("README.md has no link to docs/%s", page)
		}
	}
}

// TestIncluded: what a document shows of a file is the file.
func TestIncluded(t *testing.T) {
	found := false
	for path, text := range documents(t) {
		now, err := document.Include(text, readFile(root))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if now != text {
			t.Errorf("%s: a file that it shows has changed; go -C dev run ./docs run %s", path, path)
		}
		found = found || strings.Contains(text, "<!-- file: ")
	}
	if !found {
		t.Error("no document shows a file")
	}
}

// TestGo: Go code in README.md and docs compiles, and vet finds nothing in it. Blocks have no package clause and no imports:
// the test puts head before them.
func TestGo(t *testing.T) {
	const head = "package p\n\nimport (\n\t\"testing\"\n\n\t\"github.com/tarebench/tare/bench\"\n)\n\n"
	dir, n := t.TempDir(), 0
	for path, text := range documents(t) {
		for _, b := range document.Blocks(text) {
			if _, included := b.Note("file"); included || b.Lang != "go" || !isRun(path) {
				continue
			}
			n++
			file := filepath.Join(dir, strconv.Itoa(n), "block_test.go")
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(head+b.Text), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("go", "vet", file)
			cmd.Dir = root
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s:%d: %v\n%s", path, b.Line, err, out)
			}
		}
	}
	if n == 0 {
		t.Error("no document has Go code")
	}
}

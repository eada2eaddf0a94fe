package main

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/dev/document"
)

var update = flag.Bool("update", false, "write the help texts in docs/verbs anew")

// TestPages: there is one page for each verb, and it has the verb's help text as it is now.
func TestPages(t *testing.T) {
	if *update {
		if err := writePages(filepath.Join(root, "docs", "verbs")); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range stalePages(os.DirFS(filepath.Join(root, "docs", "verbs"))) {
		t.Errorf("docs/verbs/%v; go -C dev test ./docs -run TestPages -update", err)
	}
}

// TestStale makes sure that TestPages can fail.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	if err := writePages(dir); err != nil {
		t.Fatal(err)
	}
	if errs := stalePages(os.DirFS(dir)); len(errs) > 0 {
		t.Fatalf("new pages are wrong: %v", errs)
	}
	change := func(name string, edit func(string) string) {
		if err := document.Update(filepath.Join(dir, name), func(s string) (string, error) { return edit(s), nil }); err != nil {
			t.Fatal(err)
		}
	}
	change("bench.md", func(s string) string { return strings.Replace(s, "--forks", "--processes", 1) })
	change("load.md", func(s string) string { return strings.Replace(s, "<!-- about tare load bindings: begin -->", "", 1) })
	if err := os.Rename(filepath.Join(dir, "time.md"), filepath.Join(dir, "measure.md")); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, err := range stalePages(os.DirFS(dir)) {
		said = append(said, err.Error())
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{"bench.md: is stale", "load.md: has no lines", "time.md", "measure.md: is the page of no verb"} {
		if !strings.Contains(all, want) {
			t.Errorf("no error %q among:\n%s", want, all)
		}
	}
	if len(said) != 4 {
		t.Errorf("%d errors:\n%s", len(said), all)
	}
}

// TestBindings: the command that is documented has the databases of cmd/tare.
func TestBindings(t *testing.T) {
	of := func(file string) (bindings []string) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.Imports {
			if path, _ := strconv.Unquote(s.Path.Value); strings.Contains(path, "/load/") {
				bindings = append(bindings, path)
			}
		}
		return bindings
	}
	here, there := strings.Join(of("man.go"), " "), strings.Join(of(filepath.Join(root, "cmd", "tare", "main.go")), " ")
	if here != there {
		t.Errorf("documented are %s; cmd/tare has %s", here, there)
	}
}

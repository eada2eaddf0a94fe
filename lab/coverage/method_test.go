package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestWarnings holds the document's table of warnings against the sources: every
// code that there is has a row, every row has a code, and whether a warning takes
// the trust from a verdict is what package result says.
func TestWarnings(t *testing.T) {
	rows := map[string]string{} // code → does it take the trust?
	for _, cells := range tableOf(strings.Split(section(t, "Warnings"), "\n")) {
		if code, ok := strings.CutPrefix(cells[0], "`"); ok {
			rows[strings.TrimSuffix(code, "`")] = cells[1]
		}
	}
	s := readSources(t)
	if len(s.codes) == 0 || len(s.distrust) == 0 {
		t.Fatalf("found %d codes, %d of which take trust: the sources have changed their form", len(s.codes), len(s.distrust))
	}
	for code, where := range s.codes {
		want := "no"
		if s.distrust[code] {
			want = "yes"
		}
		switch got, ok := rows[code]; {
		case !ok:
			t.Errorf("%s: the warning %s has no row in %s", where, code, document)
		case got != want:
			t.Errorf("%s: the warning %s takes trust: %s, %s says %s", where, code, want, document, got)
		}
	}
	for code := range rows {
		if s.codes[code] == "" {
			t.Errorf("%s has a row for the warning %s, which nothing writes", document, code)
		}
	}
}

// TestVerdicts makes sure that no verdict is left out.
func TestVerdicts(t *testing.T) {
	verdicts := section(t, "Verdicts")
	names := slices.Sorted(maps.Values(constants(t, "../../stat/verdict.go", "")))
	if len(names) < 8 {
		t.Fatalf("found only the verdicts %q", names)
	}
	for _, v := range names {
		if !strings.Contains(verdicts, "`"+v+"`") {
			t.Errorf("%s does not say what %s is", document, v)
		}
	}
}

// section is what stands under a heading, up to the next of its level.
func section(t *testing.T, title string) string {
	_, rest, ok := strings.Cut(text(t), "\n## "+title+"\n")
	if !ok {
		t.Fatalf("%s has no section %q", document, title)
	}
	out, _, _ := strings.Cut(rest, "\n## ")
	return out
}

// sources are the codes of warnings and where they come from.
type sources struct {
	codes    map[string]string
	distrust map[string]bool
}

// readSources finds the constants Code… and code…, the elements of the variable
// distrust, and codes that are literals: of a field Code, of the first argument of a
// function in warns, or of a hook's line.
func readSources(t *testing.T) sources {
	s := sources{map[string]string{}, map[string]bool{}}
	named := map[string]string{}
	for _, dir := range []string{"../../internal", "../../load"} {
		for _, file := range goFiles(t, dir) {
			for _, prefix := range []string{"Code", "code"} {
				for name, code := range constants(t, file, prefix) {
					named[name], s.codes[code] = code, file
				}
			}
		}
	}
	for _, dir := range []string{"../../internal/result", "../../internal", "../../bench", "../../load"} {
		for _, file := range goFiles(t, dir) {
			ast.Inspect(parsed(t, file), func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					shows := strings.Contains(file, "/subjects/calls/") || strings.Contains(file, "/subjects/listing/")
					if !shows && strings.Contains(file, "/show/") {
						break // it shows warnings of others and writes none
					}
					if code := warned(n, shows); code != "" {
						s.codes[code] = file
					}
				case *ast.KeyValueExpr:
					if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Code" || key.Name == "code") {
						if code := word(n.Value, nil); code != "" {
							s.codes[code] = file
						}
					}
				case *ast.ValueSpec:
					if n.Names[0].Name == "distrust" {
						for _, x := range n.Values[0].(*ast.CompositeLit).Elts {
							s.distrust[word(x, named)] = true
						}
					}
				}
				return true
			})
		}
	}
	return s
}

// warns are functions whose first argument is the code of a warning.
var warns = []string{"tareWarn"}

// warned is the code that a call gives a warning, "" if it does nothing of the kind. In
// what shows code and calls warnings are added by a function of that name.
func warned(call *ast.CallExpr, shows bool) string {
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	switch {
	case len(call.Args) > 0 && (slices.Contains(warns, name) || shows && name == "add"):
		return word(call.Args[0], nil)
	case len(call.Args) == 2 && name == "text" && word(call.Args[0], nil) == "code":
		return word(call.Args[1], nil)
	}
	return ""
}

// constants are the string constants of a file whose names have the prefix.
func constants(t *testing.T, file, prefix string) map[string]string {
	out := map[string]string{}
	ast.Inspect(parsed(t, file), func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for i, x := range spec.Values {
				if v := word(x, nil); v != "" && strings.HasPrefix(spec.Names[i].Name, prefix) {
					out[spec.Names[i].Name] = v
				}
			}
		}
		return true
	})
	return out
}

// word is what a string literal says, or a constant that is known by name.
func word(x ast.Expr, named map[string]string) string {
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			v, _ := strconv.Unquote(x.Value)
			return v
		}
	case *ast.Ident:
		return named[x.Name]
	}
	return ""
}

func parsed(t *testing.T, file string) *ast.File {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func goFiles(t *testing.T, dir string) (out []string) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

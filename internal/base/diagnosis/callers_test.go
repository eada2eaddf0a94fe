package diagnosis

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../../.."

// copies are the files that copy warnings, field by field.
var copies = []string{"internal/cli/trace.go", "internal/result/result.go", "internal/result/selftest.go"}

// views have sentences of their own, about what they show of a record. Their codes are in the table.
var views = []string{"internal/show/subjects/calls/", "internal/show/subjects/listing/"}

// inViews reports whether a file is of a view.
func inViews(path string) bool {
	return slices.ContainsFunc(views, func(v string) bool { return strings.HasPrefix(path, v) })
}

// sources calls f with all Go files of the module that are no tests, and their paths below its root.
func sources(t *testing.T, f func(path string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" { // a .git may be a file
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		path, _ := filepath.Rel(root, name)
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err == nil {
			f(filepath.ToSlash(path), file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// codes returns the constants of this package: the code by name.
func codes(t *testing.T) map[string]string {
	out := map[string]string{}
	sources(t, func(path string, file *ast.File) {
		if !strings.HasPrefix(path, "internal/base/diagnosis/") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == 1 && len(v.Values) == 1 && v.Names[0].IsExported() {
				if code, ok := text(v.Values[0]); ok && kinds()[code] != nil {
					out[v.Names[0].Name] = code
				}
			}
			return true
		})
	})
	if len(out) != len(kinds()) {
		t.Errorf("%d codes have %d constants", len(kinds()), len(out))
	}
	return out
}

// text returns the value of a literal.
func text(e ast.Expr) (string, bool) {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		s, err := strconv.Unquote(l.Value)
		return s, err == nil
	}
	return "", false
}

// last returns the name of an identifier, without its package.
func last(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// TestFacts: what makes a warning gives the facts that its sentence cannot do without, and none that no sentence of the code has.
func TestFacts(t *testing.T) {
	byName := codes(t)
	byCode := map[string]string{}
	for name, code := range byName {
		byCode[code] = name
	}
	seen, used := 0, map[string]bool{}
	sources(t, func(path string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && last(s.X) == "diagnosis" {
				used[s.Sel.Name] = true
			}
			if l, ok := n.(*ast.BasicLit); ok && inViews(path) {
				code, _ := text(l)
				used[byCode[code]] = true
			}
			c, ok := n.(*ast.CallExpr)
			if ok && last(c.Fun) == "tareWarn" { // in package testing, which cannot import the table
				used[byCode[checkPart(t, path, c.Args)]] = true
			}
			if !ok || last(c.Fun) != "Warn" && last(c.Fun) != "WarnForm" || len(c.Args) < 2 {
				return true
			}
			k := kinds()[byName[last(c.Args[0])]]
			if k == nil {
				return true
			}
			seen++
			used[last(c.Args[0])] = true
			form, known := "", len(c.Args) == 2
			if !known {
				form, known = text(c.Args[1])
			}
			checkFacts(t, path, k, form, known, c.Args[len(c.Args)-1])
			return true
		})
	})
	if seen < 100 {
		t.Errorf("%d calls were found", seen)
	}
	for name := range byName {
		if !used[name] {
			t.Errorf("nothing uses %s", name)
		}
	}
}

// checkPart checks the arguments with which a part in package testing makes a warning, and returns its code.
func checkPart(t *testing.T, path string, args []ast.Expr) string {
	code, _ := text(args[0])
	form, known := text(args[1])
	k := kinds()[code]
	if k == nil {
		t.Errorf("%s: the table has no code %q", path, code)
		return ""
	}
	given := &ast.CompositeLit{}
	for i := 2; i < len(args); i += 2 {
		if name, _ := text(args[i]); name != prefixFact {
			given.Elts = append(given.Elts, &ast.KeyValueExpr{Key: args[i], Value: args[i+1]})
		}
	}
	checkFacts(t, path, k, form, known, given)
	return code
}

// checkFacts checks the facts of a call that makes a warning. known says that its form is.
func checkFacts(t *testing.T, path string, k *Kind, form string, known bool, facts ast.Expr) {
	var given []string
	switch x := facts.(type) {
	case *ast.CompositeLit:
		for _, e := range x.Elts {
			name, _ := text(e.(*ast.KeyValueExpr).Key)
			given = append(given, name)
		}
	case *ast.Ident:
		if x.Name != "nil" {
			return // put together before
		}
	default:
		return
	}
	f, found := k.form(form)
	if known && !found {
		t.Errorf("%s: %s has no form %q", path, k.Code, form)
		return
	}
	_, needed := names(f.Sentence + f.Advice)
	for _, name := range needed {
		if known && !slices.Contains(given, name) {
			t.Errorf("%s: %s %s needs {%s}", path, k.Code, form, name)
		}
	}
	var all []string
	for _, f := range k.Sentences() {
		of, _ := names(f.Sentence + f.Advice)
		all = append(all, of...)
	}
	for _, name := range given {
		if !slices.Contains(all, name) {
			t.Errorf("%s: no sentence of %s has {%s}", path, k.Code, name)
		}
	}
}

// TestWordsElsewhere: no other package has words of warnings, or spells a code.
func TestWordsElsewhere(t *testing.T) {
	sources(t, func(path string, file *ast.File) {
		if strings.HasPrefix(path, "internal/base/diagnosis/") || slices.Contains(copies, path) || inViews(path) {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CompositeLit:
				var keys []string
				for _, e := range x.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						keys = append(keys, last(kv.Key))
						if code, ok := text(kv.Value); ok && last(kv.Key) == "Code" && kinds()[code] != nil {
							t.Errorf("%s: spells the code %q: package diagnosis has a constant for it", path, code)
						}
					}
				}
				if slices.Contains(keys, "Code") && slices.Contains(keys, "Text") || last(x.Type) == "Warn" && len(keys) > 0 {
					t.Errorf("%s: makes a warning: only package diagnosis has their words", path)
				}
			case *ast.BinaryExpr:
				if code, ok := text(x.Y); ok && last(x.X) == "Code" && kinds()[code] != nil {
					t.Errorf("%s: spells the code %q: package diagnosis has a constant for it", path, code)
				}
			}
			return true
		})
	})
}

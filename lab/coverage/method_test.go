package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestVerdicts makes sure that no verdict is left out.
func TestVerdicts(t *testing.T) {
	verdicts := section(t, "Verdicts")
	names := slices.Sorted(maps.Values(constants(t, "../../stat/verdict.go")))
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

// constants are the string constants of a file.
func constants(t *testing.T, file string) map[string]string {
	out := map[string]string{}
	ast.Inspect(parsed(t, file), func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			for i, x := range spec.Values {
				if v := word(x); v != "" {
					out[spec.Names[i].Name] = v
				}
			}
		}
		return true
	})
	return out
}

// word is what a string literal says.
func word(x ast.Expr) string {
	if l, ok := x.(*ast.BasicLit); ok && l.Kind == token.STRING {
		v, _ := strconv.Unquote(l.Value)
		return v
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

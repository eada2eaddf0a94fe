package why

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// loaded returns all seeds.
func loaded(t *testing.T) []Seed {
	t.Helper()
	all, err := Load(".")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSet: there are enough seeds, of each cause and of each kind.
func TestSet(t *testing.T) {
	count, known, small := map[string]int{}, 0, 0
	all := loaded(t)
	for _, s := range all {
		count[s.Cause]++
		if s.Explained != nil && s.Cause != "none" {
			known++
		}
		if s.Difference == Small {
			small++
		}
	}
	for cause := range Causes {
		if n := count[cause]; n < 3 && cause != "gc" {
			t.Errorf("%s: %d seeds, want at least 3", cause, n)
		}
	}
	if len(all) < 40 || known < 10 || small < 2 {
		t.Errorf("%d seeds, %d of a known share, %d small", len(all), known, small)
	}
}

// TestTrees: all edits apply, what they make is formatted, and each place exists.
func TestTrees(t *testing.T) {
	for _, s := range loaded(t) {
		files, err := s.Files("base", true)
		if err != nil {
			t.Error(err)
			continue
		}
		for name, text := range files {
			if want, err := format.Source([]byte(text)); err != nil || string(want) != text {
				t.Errorf("seed %s: %s is not formatted: %v", s.Name, name, err)
			}
		}
		if s.Place != (Place{}) {
			line, err := s.Line("base")
			if err != nil {
				t.Error(err)
			} else if name := functionAt(t, files[s.Place.File], line); name != "" && name != s.Place.Func {
				t.Errorf("seed %s: line %d of %s is in %s, not in %s", s.Name, line, s.Place.File, name, s.Place.Func)
			}
		} else if s.Cause != "none" && s.Cause != "layout" && s.Cause != "flags" {
			t.Errorf("seed %s: no place", s.Name)
		}
	}
}

// functionAt returns the function in which a line of a file is, "" if it is in none.
func functionAt(t *testing.T, text string, line int) string {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range tree.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && set.Position(f.Pos()).Line <= line && line <= set.Position(f.End()).Line {
			return symbol(f)
		}
	}
	return ""
}

// TestRefuses: what is wrong in a manifest or does not fit the base is an error.
func TestRefuses(t *testing.T) {
	good := Seed{Name: "x", Cause: "none", Package: "csv", Benchmark: "BenchmarkRead", Change: "nothing", Difference: None}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	share := 1.5
	for want, spoil := range map[string]func(*Seed){
		"unknown cause":      func(s *Seed) { s.Accepted = []string{"moon"} },
		"it needs":           func(s *Seed) { s.Benchmark = "" },
		"unknown difference": func(s *Seed) { s.Difference = "huge" },
		"want a share":       func(s *Seed) { s.Explained = &share },
	} {
		bad := good
		spoil(&bad)
		if err := bad.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for want, e := range map[string]Edit{
		"is no file": {File: "csv/none.go", Old: "a", New: "b"},
		"0 times":    {File: "csv/csv.go", Old: "no such text", New: "b"},
		"want once":  {File: "csv/csv.go", Old: "r", New: "b"},
	} {
		bad := good
		bad.Edits = []Edit{e}
		if _, err := bad.Files("base", true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

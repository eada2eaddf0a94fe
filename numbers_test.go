package tare

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// numberExceptions are the files that write numbers with a fraction without package units, with the reason.
var numberExceptions = map[string]string{
	"bench/paramvalue.go":                     "the value of a parameter in a benchmark's name",
	"bench/print.go":                          "a line that programs read",
	"footprint/text.go":                       "the package imports nothing of tare",
	"internal/measure/job/value.go":           "the text of a flag, which the flag reads",
	"internal/cli/teamfile/file.go":           "the text of a flag, from a number in tare.toml",
	"internal/measure/loadrun/properties.go":  "the text of a flag, from a property",
	"internal/numbers/pace/config.go":         "a rate as flags read it",
	"internal/numbers/pace/period.go":         "the digits of a rate, to compute with them",
	"internal/profile/sample/moments.go":      "rounds a number of a record",
	"internal/result/histfiles/hgrm.go":       "HdrHistogram's format",
	"internal/result/histfiles/intervals.go":  "CSV",
	"internal/result/history/values.go":       "rounds a number of a file",
	"internal/show/chart/bars.go":             "numbers in SVG for scripts",
	"internal/show/chart/canvas.go":           "coordinates of SVG",
	"internal/show/export/csv.go":             "CSV",
	"internal/show/export/ycsb.go":            "YCSB's format",
	"internal/show/render/htmlresults.go":     "numbers in HTML for scripts",
	"internal/show/subjects/latency/data.go":  "CSV",
	"internal/show/subjects/profile/flame.go": "numbers and coordinates of SVG",
	"internal/show/subjects/trends/html.go":   "numbers in HTML for scripts",
	"internal/show/subjects/trends/write.go":  "CSV",
	"internal/show/webpage/span.go":           "coordinates of SVG",
	"load/scenario/print.go":                  "a file of a scenario, which tare reads",
}

// fraction matches the verbs of package fmt that write a fixed number of digits after the point.
var fraction = regexp.MustCompile(`%[-+# 0-9\[\]*]*\.[0-9*]+f`)

// TestNumbersForPeople: package units alone decides how people read a number. Formats for programs have their own rules.
func TestNumbersForPeople(t *testing.T) {
	used := map[string]bool{}
	for _, root := range []string{"bench", "cmd", "footprint", "internal", "load", "queue", "usage"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			path = filepath.ToSlash(path)
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), "_") || path == "internal/base/units"):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			if !writesNumber(file) {
				return nil
			}
			used[path] = true
			if numberExceptions[path] == "" {
				t.Errorf("%s writes a number with %%.Nf or strconv.FormatFloat: use internal/base/units, or give a reason in numberExceptions", path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for path := range numberExceptions {
		if !used[path] {
			t.Errorf("numberExceptions has %q, which writes no such number", path)
		}
	}
}

// writesNumber reports whether a file has a verb of fmt, or names the function of strconv, that writes a fraction.
func writesNumber(file *ast.File) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			found = found || n.Kind == token.STRING && fraction.MatchString(n.Value)
		case *ast.SelectorExpr:
			x, ok := n.X.(*ast.Ident)
			found = found || ok && x.Name == "strconv" && n.Sel.Name == "FormatFloat"
		}
		return true
	})
	return found
}

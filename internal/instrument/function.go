package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
)

// Func is a function in the sources.
type Func struct {
	Name string // with the path of its package, as stack traces have it
	File string // absolute
	Line int    // of its declaration

	pkg    *goPackage
	short  string // without the package
	at     string // file, line and column of its name, or of func, as the compiler says where it is
	column bool   // the column is known
	lines  int
	brace  int    // offset behind the opening brace of its body
	why    string // it is left alone; "": it can be instrumented
	lit    bool   // a function literal
}

// Skipped is a function that matches and got no probe.
type Skipped struct {
	Func
	Why string
}

// reserved are the directives of functions that cannot have a probe, with the reason.
var reserved = map[string]string{
	"nosplit":            "its stack cannot grow",
	"systemstack":        "it runs on a thread's own stack",
	"nowritebarrier":     "it runs while the garbage collector must not notice",
	"nowritebarrierrec":  "it runs while the garbage collector must not notice",
	"yeswritebarrierrec": "it runs while the garbage collector must not notice",
	"norace":             "it may run between fork and exec",
}

// scheduled are the functions that the scheduler calls on a thread's own stack.
var scheduled = map[string]bool{"time.goFunc": true, "time.sendTime": true, "time.syncTimer": true}

// whyLeft returns why a declaration cannot be instrumented, as far as its own file shows.
func (s *sourceFile) whyLeft(d *ast.FuncDecl, name string) string {
	if d.Body == nil {
		return "it has no body here: it is assembly, or linked by name"
	}
	if d.Doc != nil {
		for _, c := range d.Doc.List {
			verb, _, _ := strings.Cut(strings.TrimPrefix(c.Text, "//go:"), " ")
			if why := reserved[strings.TrimSpace(verb)]; why != "" && strings.HasPrefix(c.Text, "//go:") {
				return fmt.Sprintf("//go:%s: %s", strings.TrimSpace(verb), why)
			}
		}
	}
	switch {
	case s.pkg.intrinsic[d.Name.Name] && d.Recv == nil:
		return whyIntrinsic
	case s.linked[d.Name.Name] && d.Recv == nil:
		return "//go:linkname: others call it by its symbol"
	case s.pkg.assembly[d.Name.Name] && d.Recv == nil:
		return "assembly calls it"
	case scheduled[name]:
		return "the scheduler calls it on a thread's own stack"
	}
	return s.why
}

// literals returns the function literals in a node, of which n were found before. They are
// numbered as by the compiler: F.func1, F.func2, and F.func1.1 in the first of them.
func (s *sourceFile) literals(in ast.Node, name, format string, n *int) (out []*Func) {
	ast.Inspect(in, func(node ast.Node) bool {
		lit, ok := node.(*ast.FuncLit)
		if !ok {
			return true
		}
		*n++
		mine := fmt.Sprintf(format, name, *n)
		out = append(out, s.function(mine, lit.Pos(), lit.Pos(), lit.Body, true))
		out = append(out, s.literals(lit.Body, mine, "%s.%d", new(int))...)
		return false
	})
	return out
}

// function describes a function of the file, which begins at pos; name is the position that the
// compiler reports.
func (s *sourceFile) function(short string, pos, name token.Pos, body *ast.BlockStmt, lit bool) *Func {
	f := &Func{Name: s.pkg.ImportPath + "." + short, File: s.path, Line: s.fset.PositionFor(pos, false).Line, pkg: s.pkg, short: short, lit: lit}
	where := s.fset.PositionFor(name, true) // another one with //line, perhaps without a column
	f.at = fmt.Sprintf("%s:%d", filepath.Base(where.Filename), where.Line)
	if f.column = where.Column > 0; f.column {
		f.at += fmt.Sprintf(":%d", where.Column)
	}
	if s.pkg.Name == "main" {
		f.Name = "main." + short
	}
	if body != nil {
		f.lines = s.fset.PositionFor(body.Rbrace, false).Line - f.Line + 1
		f.brace = s.fset.PositionFor(body.Lbrace, false).Offset + 1
	}
	return f
}

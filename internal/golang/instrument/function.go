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
	Name string // as in stack traces, with the package path
	File string // absolute
	Line int    // of its declaration

	Allocates bool // of what Build.Inlinable returns: what it allocates may be on the stack of a function that it is inlined into

	pkg    *goPackage
	short  string // name without the package
	at     string // file, line and column of its name, or of func for literals, as the compiler reports them
	column bool   // the compiler reports the column
	lines  int
	brace  int    // offset after the opening brace of its body
	why    string // why it cannot be instrumented, or ""
	lit    bool   // is a function literal
}

// Skipped is a function that matches but gets no probe.
type Skipped struct {
	Func
	Why string
}

// unsupportedDirectives maps directives of functions that cannot have a probe to the reason.
var unsupportedDirectives = map[string]string{
	"nosplit":            "its stack cannot grow",
	"systemstack":        "it runs on a thread's own stack",
	"nowritebarrier":     "it must not have write barriers",
	"nowritebarrierrec":  "it must not have write barriers",
	"yeswritebarrierrec": "it is called from code without write barriers",
	"norace":             "it may run between fork and exec",
}

// calledByScheduler are the functions that the scheduler calls on a thread's own stack.
var calledByScheduler = map[string]bool{"time.goFunc": true, "time.sendTime": true, "time.syncTimer": true}

// reasonAgainst returns why a declaration cannot be instrumented, judging by its own file, or "".
func (s *sourceFile) reasonAgainst(d *ast.FuncDecl, name string) string {
	if d.Body == nil {
		return "it has no body here: it is assembly, or linked by name"
	}
	if d.Doc != nil {
		for _, c := range d.Doc.List {
			verb, _, _ := strings.Cut(strings.TrimPrefix(c.Text, "//go:"), " ")
			if why := unsupportedDirectives[strings.TrimSpace(verb)]; why != "" && strings.HasPrefix(c.Text, "//go:") {
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
	case calledByScheduler[name]:
		return "the scheduler calls it on a thread's own stack"
	}
	return s.why
}

// literals returns the function literals in a node, numbered as by the compiler: F.func1, F.func2, and F.func1.1 in
// the first. n is the number of those found before.
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

// function returns the description of a function that begins at pos. name is the position that the compiler reports.
func (s *sourceFile) function(short string, pos, name token.Pos, body *ast.BlockStmt, lit bool) *Func {
	f := &Func{Name: s.pkg.ImportPath + "." + short, File: s.path, Line: s.fset.PositionFor(pos, false).Line, pkg: s.pkg, short: short, lit: lit}
	where := s.fset.PositionFor(name, true) // differs with a //line directive, and may have no column
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

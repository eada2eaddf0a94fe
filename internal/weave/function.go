package weave

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// Func is a function in the sources.
type Func struct {
	Name string // with the path of its package, as stack traces have it
	File string // absolute
	Line int    // of its declaration

	short string // without the package
	lines int
	brace int    // offset behind the opening brace of its body
	why   string // it is left alone; "": it can be woven
	lit   bool   // a function literal
}

// Left is a function that matches and was left alone.
type Left struct {
	Func
	Why string
}

// reserved are directives of functions that have no room for a probe or run where
// there must be none.
var reserved = map[string]string{
	"nosplit":            "its stack cannot grow",
	"systemstack":        "it runs on a thread's own stack",
	"nowritebarrier":     "it runs while the garbage collector must not notice",
	"nowritebarrierrec":  "it runs while the garbage collector must not notice",
	"yeswritebarrierrec": "it runs while the garbage collector must not notice",
	"norace":             "it may run between fork and exec",
}

// scheduled are functions that the scheduler calls on a thread's own stack.
var scheduled = map[string]bool{"time.goFunc": true, "time.sendTime": true, "time.syncTimer": true}

// whyLeft returns why a declaration cannot be woven, as far as its file says.
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
	case s.linked[d.Name.Name] && d.Recv == nil:
		return "//go:linkname: others call it by its symbol"
	case s.pkg.assembly[d.Name.Name] && d.Recv == nil:
		return "assembly calls it"
	case scheduled[name]:
		return "the scheduler calls it on a thread's own stack"
	}
	return s.why
}

// funcName is a declaration's name without its package, as the compiler writes it.
func funcName(d *ast.FuncDecl) string {
	name := d.Name.Name
	if d.Recv == nil || len(d.Recv.List) == 0 {
		if d.Type.TypeParams.NumFields() > 0 {
			name += "[...]"
		}
		return name
	}
	t, star, args := d.Recv.List[0].Type, "", ""
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
			continue
		case *ast.StarExpr:
			t, star = x.X, "*"
			continue
		case *ast.IndexExpr:
			t, args = x.X, "[...]"
			continue
		case *ast.IndexListExpr:
			t, args = x.X, "[...]"
			continue
		case *ast.Ident:
			if star != "" {
				return "(*" + x.Name + args + ")." + name
			}
			return x.Name + args + "." + name
		}
		return name
	}
}

// literals are the function literals in a body, numbered as the compiler does it:
// F.func1, F.func2, and F.func1.1 in the first of them.
func (s *sourceFile) literals(outer *Func, body *ast.BlockStmt) []*Func {
	var out []*Func
	var walk func(body *ast.BlockStmt, name string, nested bool)
	walk = func(body *ast.BlockStmt, name string, nested bool) {
		n := 0
		ast.Inspect(body, func(node ast.Node) bool {
			lit, ok := node.(*ast.FuncLit)
			if !ok {
				return true
			}
			n++
			mine := fmt.Sprintf("%s.func%d", name, n)
			if nested {
				mine = fmt.Sprintf("%s.%d", name, n)
			}
			out = append(out, s.function(mine, lit.Pos(), lit.Body, true))
			walk(lit.Body, mine, true)
			return false
		})
	}
	walk(body, outer.short, false)
	return out
}

// function describes a function of the file.
func (s *sourceFile) function(short string, pos token.Pos, body *ast.BlockStmt, lit bool) *Func {
	f := &Func{Name: s.pkg.ImportPath + "." + short, File: s.path, Line: s.fset.PositionFor(pos, false).Line, short: short, lit: lit}
	if s.pkg.Name == "main" {
		f.Name = "main." + short
	}
	if body != nil {
		f.lines = s.fset.PositionFor(body.Rbrace, false).Line - f.Line + 1
		f.brace = s.fset.PositionFor(body.Lbrace, false).Offset + 1
	}
	return f
}

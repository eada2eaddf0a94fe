package mem

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// readCall is the method that package testing has in builds with hooks; see internal/golang/toolchain.
const readCall = "TareLoopEnd"

// addLoopEnds returns the text of a test file with a call of [readCall] behind each loop of a benchmark, and with
// everything that its function declared before the loop kept alive until then. No line moves. A text that does not
// parse is returned as it is: the compiler will report it.
//
// A loop is a for statement over b.N or b.Loop, or a call of b.RunParallel. Before a return inside a loop the call is
// added, too. A function that has no loop but mentions b.N is read at its end. Where b is passed to a function, that has the loop, and the caller only keeps alive what it has.
func addLoopEnds(text string) string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return text
	}
	names := testingNames(file)
	if len(names) == 0 {
		return text
	}
	e := &editor{text: text, offset: func(p token.Pos) int { return fset.PositionFor(p, false).Offset }, runtime: importName(text)}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				e.function(n.Type, n.Body, names)
			}
		case *ast.FuncLit:
			e.function(n.Type, n.Body, names)
		}
		return true
	})
	if len(e.edits) == 0 {
		return text
	}
	if e.keeps {
		e.insert(e.offset(file.Name.End()), "; import "+e.runtime+` "runtime"`)
	}
	return e.apply()
}

// importName returns a name for package runtime that the text does not contain.
func importName(text string) string {
	name := "tareruntime"
	for n := 2; strings.Contains(text, name); n++ {
		name = fmt.Sprintf("tareruntime%d", n)
	}
	return name
}

// testingNames returns the types of which a benchmark's parameter may be, as they are written in a file: "testing.B",
// or "B" of a dot import.
func testingNames(file *ast.File) (names []string) {
	for _, s := range file.Imports {
		switch {
		case s.Path.Value != `"testing"`:
		case s.Name == nil:
			names = append(names, "testing.B")
		case s.Name.Name == ".":
			names = append(names, "B")
		case s.Name.Name != "_":
			names = append(names, s.Name.Name+".B")
		}
	}
	return names
}

// editor collects insertions into a text.
type editor struct {
	text    string
	offset  func(token.Pos) int
	runtime string // import name
	keeps   bool   // it is used
	edits   []insertion
}

type insertion struct {
	at   int
	text string
}

func (e *editor) insert(at int, text string) { e.edits = append(e.edits, insertion{at, text}) }

func (e *editor) apply() string {
	slices.SortStableFunc(e.edits, func(a, b insertion) int { return cmp.Compare(a.at, b.at) })
	out := new(strings.Builder)
	last := 0
	for _, x := range e.edits {
		out.WriteString(e.text[last:x.at])
		out.WriteString(x.text)
		last = x.at
	}
	out.WriteString(e.text[last:])
	return out.String()
}

// function adds the reads of one function, if it has a parameter *testing.B with a name.
func (e *editor) function(t *ast.FuncType, body *ast.BlockStmt, names []string) {
	b := parameter(t, names)
	if b == "" {
		return
	}
	f := &benchmark{b: b}
	f.list(body.List, scope(nil).addFields(t.Params).addFields(t.Results))
	if len(f.reads) == 0 {
		f.fallBack(body.List, t)
	}
	for _, r := range f.reads {
		text := ""
		if !r.keepOnly {
			text = b + "." + readCall + "(); "
		}
		for _, name := range r.alive.without(b) {
			e.keeps = true
			text += e.runtime + ".KeepAlive(" + name + "); "
		}
		switch {
		case text == "":
		case r.before:
			e.insert(e.offset(r.at), text)
		default:
			e.insert(e.offset(r.at), "; "+strings.TrimSuffix(text, " "))
		}
	}
}

// parameter returns the name of the first parameter of a benchmark's type, or "".
func parameter(t *ast.FuncType, names []string) string {
	for _, f := range t.Params.List {
		star, ok := f.Type.(*ast.StarExpr)
		if !ok || !slices.Contains(names, typeName(star.X)) {
			continue
		}
		for _, n := range f.Names {
			if n.Name != "_" {
				return n.Name
			}
		}
	}
	return ""
}

func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			return pkg.Name + "." + x.Sel.Name
		}
	}
	return ""
}

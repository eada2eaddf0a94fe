package compiler

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
	"github.com/tarebench/tare/record"
)

// function is a function of the sources.
type function struct {
	record.CompiledFunction
	from, to place // its text
	generic  bool  // it has type parameters, or is in one that has
}

// place is a position in a file.
type place struct{ line, column int }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// sources are the functions of packages, by package and file.
type sources struct {
	files map[[2]string][]*function
	list  []*function
	globs map[string]int // closures outside of functions, by package
}

// read parses the Go files of a package's directory that keep accepts, by their names, or what the overlay has in their
// place. External tests are of the package PKG_test.
func (s *sources) read(pkg, dir string, over toolchain.Overlay, keep func(pkg, file string) bool) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for name := range over {
		if filepath.Dir(name) == dir && strings.HasSuffix(name, ".go") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		text, err := over.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue // removed by the overlay
		}
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			continue // the compiler does not read it: it is for another system
		}
		of := pkg
		if strings.HasSuffix(name, "_test.go") && strings.HasSuffix(f.Name.Name, "_test") {
			of += "_test"
		}
		if keep(of, filepath.Base(name)) {
			s.add(of, filepath.Base(name), fset, f, newLines(text))
		}
	}
	return nil
}

// add adds the functions of a file.
func (s *sources) add(pkg, file string, fset *token.FileSet, f *ast.File, l *lines) {
	w := &walker{s: s, pkg: pkg, file: file, fset: fset, lines: l}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			if fn.Body != nil {
				top := w.function(fn, fn.Body, funcName(fn), isGeneric(fn))
				w.closures(fn.Body, top)
			}
			continue
		}
		w.closures(d, nil)
	}
}

// funcName returns the name of a function as the linker has it, without its package.
func funcName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t, star := fn.Recv.List[0].Type, false
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
			continue
		case *ast.StarExpr:
			t, star = x.X, true
			continue
		case *ast.IndexExpr:
			t = x.X
			continue
		case *ast.IndexListExpr:
			t = x.X
			continue
		case *ast.Ident:
			if star {
				return "(*" + x.Name + ")." + fn.Name.Name
			}
			return x.Name + "." + fn.Name.Name
		}
		return fn.Name.Name
	}
}

func isGeneric(fn *ast.FuncDecl) bool {
	if fn.Type.TypeParams != nil {
		return true
	}
	found := false
	if fn.Recv != nil {
		ast.Inspect(fn.Recv, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.IndexExpr, *ast.IndexListExpr:
				found = true
			}
			return !found
		})
	}
	return found
}

// walker adds the functions of one file.
type walker struct {
	s         *sources
	pkg, file string
	fset      *token.FileSet
	lines     *lines
}

func (w *walker) place(p token.Pos) place {
	at := w.fset.PositionFor(p, false) // of the text, whatever a //line directive says
	return place{at.Line, at.Column}
}

// function adds a function.
func (w *walker) function(n ast.Node, body *ast.BlockStmt, name string, generic bool) *function {
	f := &function{from: w.place(n.Pos()), to: w.place(n.End()), generic: generic}
	f.Pkg, f.Name, f.File, f.Line, f.End = w.pkg, name, w.file, f.from.line, f.to.line
	if fn, ok := n.(*ast.FuncDecl); ok {
		f.Line = w.place(fn.Name.Pos()).line
	}
	open, end := w.place(body.Lbrace), w.place(body.Rbrace)
	f.Source = w.lines.hashes(f.Line, f.End, open, end)
	key := [2]string{w.pkg, w.file}
	w.s.files[key] = append(w.s.files[key], f)
	w.s.list = append(w.s.list, f)
	return f
}

// closures adds the function literals in a node. outer is the function around it, nil outside of functions.
func (w *walker) closures(n ast.Node, outer *function) {
	count := 0
	ast.Inspect(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if !ok {
			return true
		}
		count++
		name, generic := "", false
		switch {
		case outer == nil:
			w.s.globs[w.pkg]++
			name = fmt.Sprintf("glob..func%d", w.s.globs[w.pkg])
		case isClosure(outer.Name):
			name, generic = fmt.Sprintf("%s.%d", outer.Name, count), outer.generic
		default:
			name, generic = fmt.Sprintf("%s.func%d", outer.Name, count), outer.generic
		}
		w.closures(lit.Body, w.function(lit, lit.Body, name, generic))
		return false
	})
}

// isClosure reports whether a name is that of a function literal. Identifiers with dots before them are methods, which
// no source can name func1 and have closures of that number.
func isClosure(name string) bool {
	_, rest, ok := strings.Cut(name, ".func")
	return ok && rest != "" && rest[0] >= '0' && rest[0] <= '9'
}

// at returns the innermost function at the place of a note, or nil. A note at the beginning of a closure is one on the
// closure as a value, and so of the function around it, unless it is on inlining.
func (s *sources) at(n *rawNote) *function {
	var found *function
	p := place{n.Line, n.column}
	own := n.Kind == record.NoteInlinable || n.Kind == record.NoteNotInlinable
	for _, f := range s.files[[2]string{n.pkg, n.file}] { // outer before inner
		if (f.from.before(p) || own && f.from == p) && p.before(f.to) {
			found = f
		}
	}
	return found
}

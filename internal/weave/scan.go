package weave

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// sourceFile is a file of a package, with the functions that it declares.
type sourceFile struct {
	path   string
	text   string
	pkg    *goPackage
	fset   *token.FileSet
	name   int             // offset behind the package's name in its clause
	linked map[string]bool // functions that a linkname is about
	why    string          // none of its functions can be woven; "": no such reason
	funcs  []*Func
}

// scanFile finds the functions of a file. inits counts the package's init functions.
func scanFile(path string, pkg *goPackage, literals bool, inits *int) (*sourceFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("weave: %w", err)
	}
	s := &sourceFile{path: path, text: string(text), pkg: pkg, fset: token.NewFileSet(), linked: make(map[string]bool)}
	file, err := parser.ParseFile(s.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("weave: %w", err)
	}
	s.name = s.fset.PositionFor(file.Name.End(), false).Offset
	s.directives(file)
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name != "_" {
			s.declare(d, literals, inits)
		}
	}
	return s, nil
}

// directives notes what comments and imports say about functions.
func (s *sourceFile) directives(file *ast.File) {
	s.why = s.pkg.why
	for _, i := range file.Imports {
		if i.Path.Value == `"C"` {
			s.why = "its file uses cgo"
		}
	}
	for _, g := range file.Comments {
		for _, c := range g.List {
			if args := strings.Fields(c.Text); len(args) > 1 && args[0] == "//go:linkname" {
				s.linked[args[1]] = true
			}
		}
	}
}

func (s *sourceFile) declare(d *ast.FuncDecl, literals bool, inits *int) {
	short := funcName(d)
	if short == "init" && d.Recv == nil {
		short = fmt.Sprintf("init.%d", *inits)
		*inits++
	}
	f := s.function(short, d.Pos(), d.Body, false)
	f.why = s.whyLeft(d, f.Name)
	s.funcs = append(s.funcs, f)
	if literals && d.Body != nil {
		for _, l := range s.literals(f, d.Body) {
			l.why = f.why
			s.funcs = append(s.funcs, l)
		}
	}
}

// goSymbol finds what assembly says about functions of its own package.
var goSymbol = regexp.MustCompile(`(?m)^[^/\n]*?(?:CALL|JMP|BL|B|MOVQ|MOVD|LEAQ|DATA)\b[^/\n]*?·(\w+)(?:<ABIInternal>)?\(SB\)`)

// assemblyCalls are the names that a package's assembly refers to.
func assemblyCalls(dir string, files []string) (map[string]bool, error) {
	names := make(map[string]bool)
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			return nil, fmt.Errorf("weave: %w", err)
		}
		for _, m := range goSymbol.FindAllStringSubmatch(string(text), -1) {
			names[m[1]] = true
		}
	}
	return names, nil
}

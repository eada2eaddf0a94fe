package instrument

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// sourceFile is a file of a package, with the functions that it declares.
type sourceFile struct {
	path   string
	text   string
	pkg    *goPackage
	fset   *token.FileSet
	file   *ast.File
	name   int             // offset after the package name in its clause
	linked map[string]bool // functions named by a linkname directive
	why    string          // why none of its functions can be instrumented, or ""
	funcs  []*Func
}

// parseFile parses a file.
func parseFile(path, text string, pkg *goPackage) (*sourceFile, error) {
	s := &sourceFile{path: path, text: text, pkg: pkg, fset: token.NewFileSet(), linked: make(map[string]bool)}
	var err error
	s.file, err = parser.ParseFile(s.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	s.name = s.fset.PositionFor(s.file.Name.End(), false).Offset
	s.directives(s.file)
	return s, nil
}

// numbering counts the functions that the compiler numbers in a package.
type numbering struct {
	inits   int // functions init
	globals int // function literals outside of functions
}

// findFunctions finds the functions of the file. known are the aliases of its package.
func (s *sourceFile) findFunctions(literals bool, n *numbering, known aliases) {
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name != "_" {
				s.addFunction(d, literals, n, known)
			}
		case *ast.GenDecl:
			if literals {
				s.addLiterals(s.literals(d, "init", "%s.func%d", &n.globals), s.why)
			}
		}
	}
	s.file = nil // saves memory
}

// directives collects what comments and imports declare about functions.
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

func (s *sourceFile) addFunction(d *ast.FuncDecl, literals bool, n *numbering, known aliases) {
	short := known.funcName(d)
	if short == "init" && d.Recv == nil {
		short = fmt.Sprintf("init.%d", n.inits)
		n.inits++
	}
	f := s.function(short, d.Pos(), d.Name.Pos(), d.Body, false)
	f.why = s.reasonAgainst(d, f.Name)
	s.funcs = append(s.funcs, f)
	if literals && d.Body != nil {
		s.addLiterals(s.literals(d.Body, f.short, "%s.func%d", new(int)), f.why)
	}
}

// addLiterals adds function literals. They get no probe if the enclosing function gets none.
func (s *sourceFile) addLiterals(lits []*Func, why string) {
	for _, l := range lits {
		l.why = why
		s.funcs = append(s.funcs, l)
	}
}

// goSymbol matches the name of a function of the same package in a line of assembly.
var goSymbol = regexp.MustCompile(`^[^/\n]*?(?:CALL|JMP|BL|B|MOVQ|MOVD|LEAQ|DATA)\b[^/\n]*?·(\w+)(?:<ABIInternal>)?\(SB\)`)

// assemblyCalls returns the names to which a package's assembly refers.
func assemblyCalls(overlay toolchain.Overlay, dir string, files []string) (map[string]bool, error) {
	names := make(map[string]bool)
	for _, f := range files {
		text, err := overlay.ReadFile(filepath.Join(dir, f))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(line, "·") { // most lines: the expression is slow
				continue
			}
			if m := goSymbol.FindStringSubmatch(line); m != nil {
				names[m[1]] = true
			}
		}
	}
	return names, nil
}

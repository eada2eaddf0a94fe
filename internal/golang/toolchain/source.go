package toolchain

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// source is a Go file to edit. Edits insert no lines, so that stack traces show the lines of the original.
type source struct {
	text  string
	fset  *token.FileSet
	file  *ast.File
	edits []edit
}

// edit inserts text at an offset and drops the next bytes.
type edit struct {
	at, drop int
	text     string
}

func parseSource(name, text string) (*source, error) {
	s := &source{text: text, fset: token.NewFileSet()}
	var err error
	s.file, err = parser.ParseFile(s.fset, name, text, parser.SkipObjectResolution)
	return s, err
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

func (s *source) insert(at token.Pos, text string) {
	s.edits = append(s.edits, edit{at: s.offset(at), text: text})
}

// addField adds a field to the end of a structure, so that the others keep the offsets that machine code, assembly and
// debuggers expect.
func (s *source) addField(structure, field string) error {
	var found []*ast.StructType
	ast.Inspect(s.file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == structure {
			if t, ok := spec.Type.(*ast.StructType); ok && t.Fields.NumFields() > 0 {
				found = append(found, t)
			}
		}
		return true
	})
	if len(found) != 1 {
		return fmt.Errorf("%d structures %s, want 1", len(found), structure)
	}
	fields := found[0].Fields.List
	s.insert(fields[len(fields)-1].End(), "; "+field)
	return nil
}

// addCall inserts a statement at the beginning of a function, which is identified by its signature.
func (s *source) addCall(fn, call string) error {
	for _, d := range s.file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && signature(d) == fn {
			s.insert(d.Body.Lbrace+1, " "+call+";")
			return nil
		}
	}
	return fmt.Errorf("no %s", fn)
}

// apply returns the edited text.
func (s *source) apply() string {
	slices.SortStableFunc(s.edits, func(a, b edit) int { return cmp.Compare(b.at, a.at) })
	out := s.text
	for _, e := range s.edits {
		out = out[:e.at] + e.text + out[e.at+e.drop:]
	}
	return out
}

package build

import (
	"go/ast"
	"strconv"
)

// unit is one of the two packages that a directory with tests can hold.
type unit int

const (
	unitPackage  unit = iota // the package with its own test files
	unitExternal             // NAME_test
)

// node is a name with code: a function or variable at package level, or all methods of that name.
type node struct {
	unit   unit
	method bool
	name   string
}

type source struct {
	file  *ast.File
	unit  unit
	tests bool
}

// graph contains, for each name, the names that its code mentions.
type graph struct {
	path, name string // of the package under test
	files      []source
	declared   map[node]bool
	mentions   map[node][]node
	direct     map[string]map[node]bool // by method of testing.B: the code that mentions it
	benchField map[unit]map[string]bool // struct fields of type *testing.B
}

func newGraph(p Package) *graph {
	return &graph{
		path: p.ImportPath, name: p.Name,
		declared:   make(map[node]bool),
		mentions:   make(map[node][]node),
		direct:     map[string]map[node]bool{methodParallel: {}, methodLoop: {}, fieldN: {}, methodReset: {}},
		benchField: map[unit]map[string]bool{unitPackage: {}, unitExternal: {}},
	}
}

// addDeclarations collects the names at package level and the methods.
func (g *graph) addDeclarations() {
	for _, src := range g.files {
		for _, d := range src.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				g.declared[funcNode(src.unit, d)] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.ValueSpec:
						for _, name := range s.Names {
							g.declared[node{src.unit, false, name.Name}] = true
						}
					case *ast.TypeSpec: // has no code, but T.M must not be taken for M of an import
						g.declared[node{src.unit, false, s.Name.Name}] = true
					}
				}
			}
		}
		g.declareFields(src)
	}
}

// declareFields collects the struct fields that hold a *testing.B.
func (g *graph) declareFields(src source) {
	ast.Inspect(src.file, func(n ast.Node) bool {
		s, ok := n.(*ast.StructType)
		if !ok || s.Fields == nil {
			return true
		}
		for _, f := range s.Fields.List {
			if !isTestingType(f.Type) {
				continue
			}
			if len(f.Names) == 0 {
				g.benchField[src.unit][typeName(f.Type)] = true
			}
			for _, name := range f.Names {
				g.benchField[src.unit][name.Name] = true
			}
		}
		return true
	})
}

func funcNode(u unit, d *ast.FuncDecl) node { return node{u, d.Recv != nil, d.Name.Name} }

// addMentions collects what all code mentions.
func (g *graph) addMentions() {
	for _, src := range g.files {
		w := &walker{g: g, source: src}
		w.importSelf()
		for _, d := range src.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil {
					w.walk(funcNode(src.unit, d), d.Body)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, ok := s.(*ast.ValueSpec); ok {
						w.walkVars(v)
					}
				}
			}
		}
	}
}

// importSelf finds the name by which an external test file imports the package under test.
func (w *walker) importSelf() {
	if w.unit != unitExternal {
		return
	}
	for _, spec := range w.file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != w.g.path {
			continue
		}
		switch {
		case spec.Name == nil:
			w.self = w.g.name
		case spec.Name.Name == ".":
			w.dot = true
		default:
			w.self = spec.Name.Name
		}
	}
}

// Names of testing.B that tell how a benchmark loops.
const (
	methodParallel = "RunParallel"
	methodLoop     = "Loop"
	methodReset    = "ResetTimer"
	fieldN         = "N"
)

// reaching returns the nodes from which a name of testing.B can be reached.
func (g *graph) reaching(name string) map[node]bool {
	from := make(map[node][]node)
	for a, list := range g.mentions {
		for _, b := range list {
			from[b] = append(from[b], a)
		}
	}
	reach := make(map[node]bool)
	var todo []node
	for n := range g.direct[name] {
		todo = append(todo, n)
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !reach[n] {
			reach[n] = true
			todo = append(todo, from[n]...)
		}
	}
	return reach
}

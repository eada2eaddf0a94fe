package toolchain

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"sort"
	"strings"
)

// benchmarkFile is the file of package testing that is rewritten.
const benchmarkFile = "benchmark.go"

// A place is a method whose statements have to be found: each step once, in this
// order. Some of them are edited; the others are there to make sure that the
// edits mean what they should.
type place struct {
	method string
	entry  string // inserted where the body begins
	steps  []step
}

// A step is a statement of a method. It is written as in the source, with single
// blanks for white space; of a statement with a body only what precedes the
// brace. With "…" at its end the statement only begins so.
type step struct {
	stmt          string
	next          bool // follows directly on the step before
	before, after string
	old, new      string // of the statement, this is replaced
}

// places are where package testing gets its hooks, see _testing/run.go.
var places = []place{
	{method: "StartTimer", steps: []step{
		{stmt: "runtime.ReadMemStats(&memStats)"},
		{stmt: "b.start = highPrecisionTimeNow()", before: "tareStart(b); "},
		{stmt: "b.timerOn = true", next: true},
	}},
	{method: "StopTimer", steps: []step{
		{stmt: "b.duration += highPrecisionTimeSince(b.start)"},
		{stmt: "runtime.ReadMemStats(&memStats)", next: true},
		{stmt: "b.timerOn = false", before: "tareStop(b); "},
	}},
	{method: "ResetTimer", entry: " tareReset(b);", steps: []step{
		{stmt: "if b.timerOn"},
		{stmt: "runtime.ReadMemStats(&memStats)"},
		{stmt: "b.start = highPrecisionTimeNow()", before: "tareStart(b); "},
		{stmt: "b.duration = 0"},
	}},
	{method: "runN", steps: []step{
		{stmt: "runtime.GC()", before: "tareBefore(b, n); "},
		{stmt: "b.N = n"},
		{stmt: "b.ResetTimer()"},
		{stmt: "b.StartTimer()", next: true},
		{stmt: "b.benchFunc(b)", next: true},
		{stmt: "b.StopTimer()", next: true, after: "; tareAfter(b)"},
		{stmt: "b.previousN = n", next: true},
		{stmt: "b.previousDuration = b.duration", next: true},
	}},
	{method: "launch", steps: []step{
		{stmt: "if b.loop.n == 0"},
		{stmt: "if b.benchTime.n > 0"},
		{stmt: "d := b.benchTime.d"},
		{stmt: "for n := int64(1); !b.failed && b.duration < d && n < 1e9;", next: true, old: "int64(1)", new: "tareFirst(b)"},
		{stmt: "b.runN(int(n))"},
	}},
	{method: "loopSlowPath", steps: []step{
		{stmt: "if b.loop.n == 0"},
		{stmt: "b.loop.n = 1", old: "= 1", new: "= tareLoop(b)"},
		{stmt: "b.ResetTimer()"},
		{stmt: "if !more"},
		{stmt: "b.StopTimer()"},
		{stmt: "b.N = int(b.loop.n)"},
		{stmt: "b.loop.done = true", next: true},
		{stmt: "return false", next: true, before: "tareLive(b); "},
	}},
	{method: "processBench", steps: []step{
		{stmt: "runtime.GOMAXPROCS(procs)"},
		{stmt: "b = &B{…", old: "&B{", new: "&B{tare: b.tare, "},
		{stmt: "b.run1()", old: "b.run1()", new: "tareRun1(b)"},
		{stmt: "r := b.doBench()", old: "b.doBench()", new: "tareDone(b, b.doBench())"},
		{stmt: "if b.failed", next: true},
	}},
}

// field is what the hooks keep with each B: its last field, so that the others
// stay where the machine code of benchmarks has them.
const field = "; tare *tareRun"

// edit inserts text at an offset, in the place of the drop bytes behind it.
type edit struct {
	at, drop int
	text     string
}

// source is a file in which places are sought.
type source struct {
	text  string
	fset  *token.FileSet
	file  *ast.File
	edits []edit
}

// rewrite puts the calls of the hooks into the text of testing/benchmark.go. All
// lines keep their numbers.
func rewrite(src []byte) (string, error) {
	s := &source{text: string(src), fset: token.NewFileSet()}
	var err error
	if s.file, err = parser.ParseFile(s.fset, benchmarkFile, src, parser.SkipObjectResolution); err != nil {
		return "", err
	}
	if err := s.addField(); err != nil {
		return "", err
	}
	for _, p := range places {
		if err := s.hook(p); err != nil {
			return "", err
		}
	}
	return s.apply(), nil
}

func (s *source) offset(p token.Pos) int { return s.fset.Position(p).Offset }

// addField appends field to struct B.
func (s *source) addField() error {
	var structs []*ast.StructType
	ast.Inspect(s.file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.Name.Name == "B" {
			if t, ok := spec.Type.(*ast.StructType); ok && t.Fields.NumFields() > 0 {
				structs = append(structs, t)
			}
		}
		return true
	})
	if len(structs) != 1 {
		return fmt.Errorf("%d structures B, want one", len(structs))
	}
	fields := structs[0].Fields.List
	s.edits = append(s.edits, edit{at: s.offset(fields[len(fields)-1].End()), text: field})
	return nil
}

// hook finds the statements of a place and notes the edits.
func (s *source) hook(p place) error {
	body, err := s.method(p.method)
	if err != nil {
		return err
	}
	if p.entry != "" {
		s.edits = append(s.edits, edit{at: s.offset(body.Lbrace) + 1, text: p.entry})
	}
	lists := statements(body)
	var last found
	for _, st := range p.steps {
		f, err := s.find(lists, st)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", p.method, err)
		case last.stmt != nil && f.stmt.Pos() <= last.stmt.Pos():
			return fmt.Errorf("%s: statement %q comes too early", p.method, st.stmt)
		case st.next && (f.list != last.list || f.at != last.at+1):
			return fmt.Errorf("%s: statement %q does not follow on %q", p.method, st.stmt, s.head(last.stmt))
		}
		if err := s.edit(f.stmt, st); err != nil {
			return fmt.Errorf("%s: %w", p.method, err)
		}
		last = f
	}
	return nil
}

// method returns the body of the file's only method of a name.
func (s *source) method(name string) (*ast.BlockStmt, error) {
	var bodies []*ast.BlockStmt
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == name && f.Body != nil {
			bodies = append(bodies, f.Body)
		}
	}
	if len(bodies) != 1 {
		return nil, fmt.Errorf("%d methods %s, want one", len(bodies), name)
	}
	return bodies[0], nil
}

// found is a statement and where it stands.
type found struct {
	stmt ast.Stmt
	list int // which list of statements
	at   int // where in it
}

// statements are the lists of statements in a body, but for those of functions in it.
func statements(body *ast.BlockStmt) [][]ast.Stmt {
	var lists [][]ast.Stmt
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BlockStmt:
			lists = append(lists, n.List)
		case *ast.CaseClause:
			lists = append(lists, n.Body)
		case *ast.CommClause:
			lists = append(lists, n.Body)
		}
		return true
	})
	return lists
}

func (s *source) find(lists [][]ast.Stmt, st step) (found, error) {
	var all []found
	for i, list := range lists {
		for j, stmt := range list {
			if matches(s.head(stmt), st.stmt) {
				all = append(all, found{stmt, i, j})
			}
		}
	}
	if len(all) != 1 {
		return found{}, fmt.Errorf("statement %q is there %d times, want once", st.stmt, len(all))
	}
	return all[0], nil
}

func matches(have, want string) bool {
	if start, ok := strings.CutSuffix(want, "…"); ok {
		return strings.HasPrefix(have, start)
	}
	return have == want
}

// head is a statement as steps write it.
func (s *source) head(stmt ast.Stmt) string {
	end := stmt.End()
	switch stmt := stmt.(type) {
	case *ast.IfStmt:
		end = stmt.Body.Lbrace
	case *ast.ForStmt:
		end = stmt.Body.Lbrace
	case *ast.RangeStmt:
		end = stmt.Body.Lbrace
	}
	return strings.Join(strings.Fields(s.text[s.offset(stmt.Pos()):s.offset(end)]), " ")
}

func (s *source) edit(stmt ast.Stmt, st step) error {
	from, to := s.offset(stmt.Pos()), s.offset(stmt.End())
	if st.before != "" {
		s.edits = append(s.edits, edit{at: from, text: st.before})
	}
	if st.after != "" {
		s.edits = append(s.edits, edit{at: to, text: st.after})
	}
	if st.old != "" {
		at := strings.Index(s.text[from:to], st.old)
		if at < 0 {
			return fmt.Errorf("statement %q has no %q", st.stmt, st.old)
		}
		s.edits = append(s.edits, edit{at: from + at, drop: len(st.old), text: st.new})
	}
	return nil
}

// apply makes the edits, from the last to the first.
func (s *source) apply() string {
	sort.SliceStable(s.edits, func(i, j int) bool { return s.edits[j].at < s.edits[i].at })
	out := s.text
	for _, e := range s.edits {
		out = out[:e.at] + e.text + out[e.at+e.drop:]
	}
	return out
}

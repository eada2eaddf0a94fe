package toolchain

import (
	"fmt"
	"go/ast"
	"path/filepath"
	"strings"
)

// benchmarkFile is the file of package testing that is edited.
const benchmarkFile = "benchmark.go"

// hookedMethod is a method to edit. Its steps are statements that must occur once each, in this order. Some are
// edited; the others ensure that the method still works as the edits assume.
type hookedMethod struct {
	method string
	entry  string // inserted at the beginning of the body
	steps  []step
}

// step is a statement of a method as in the source, with single spaces for white space. For a statement with a body
// it is the part before the brace. With "…" at its end it is the beginning of the statement.
type step struct {
	stmt          string
	next          bool   // directly follows the step before
	before, after string // inserted before and after the statement
	old, new      string // old is replaced by new
}

// hookedMethods are the methods of package testing that get hooks; see _testing/run.go.
var hookedMethods = []hookedMethod{
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

// hookField is the field of B that holds the state of the hooks.
const hookField = "tare *tareRun"

// testingSystems are the systems where the hooks compile and a process can inherit a pipe.
var testingSystems = platforms{systems: []string{"aix", "darwin", "dragonfly", "freebsd", "illumos", "linux", "netbsd", "openbsd", "solaris"}}

// Testing returns the patch that adds hooks and the parts of profilers to package testing. The error wraps
// ErrUnsupported if the toolchain is the cause, and not one of the parts.
func Testing(t *Toolchain, parts ...Part) (*Patch, error) {
	if err := testingSystems.check(t.OS, t.Arch); err != nil {
		return nil, fmt.Errorf("%w: a process cannot inherit a pipe", err)
	}
	const name = "testing/" + benchmarkFile
	src, err := t.Overlay.ReadFile(t.src(name))
	if err != nil {
		return nil, t.unsupported(err)
	}
	text, err := rewrite(string(src))
	if err != nil {
		return nil, t.unsupported(fmt.Errorf("%s: %w", name, err))
	}
	may, err := importable(filepath.Dir(t.src(name)))
	if err != nil {
		return nil, t.unsupported(err)
	}
	texts, err := hookFiles(parts, may)
	if err != nil {
		return nil, err
	}
	texts[name] = text
	return t.newPatch(texts), nil
}

// rewrite inserts the calls of the hooks into the text of testing/benchmark.go.
func rewrite(text string) (string, error) {
	s, err := parseSource(benchmarkFile, text)
	if err != nil {
		return "", err
	}
	if err := s.addField("B", hookField); err != nil {
		return "", err
	}
	for _, p := range hookedMethods {
		if err := s.addHooks(p); err != nil {
			return "", err
		}
	}
	return s.apply(), nil
}

// addHooks finds the statements of a place and records the edits.
func (s *source) addHooks(p hookedMethod) error {
	body, err := s.method(p.method)
	if err != nil {
		return err
	}
	if p.entry != "" {
		s.insert(body.Lbrace+1, p.entry)
	}
	lists := statements(body)
	var last found
	for _, st := range p.steps {
		f, err := s.find(lists, st)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", p.method, err)
		case last.stmt != nil && f.stmt.Pos() <= last.stmt.Pos():
			return fmt.Errorf("%s: statement %q is in another place", p.method, st.stmt)
		case st.next && (f.list != last.list || f.at != last.at+1):
			return fmt.Errorf("%s: statement %q does not follow %q", p.method, st.stmt, s.statementText(last.stmt))
		}
		if err := s.addEdits(f.stmt, st); err != nil {
			return fmt.Errorf("%s: %w", p.method, err)
		}
		last = f
	}
	return nil
}

// method returns the body of the only method with a name.
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

// found is a statement with its position.
type found struct {
	stmt ast.Stmt
	list int // index of the list that contains it
	at   int // index in the list
}

// statements returns the lists of statements in a body, without those of function literals.
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
			if matches(s.statementText(stmt), st.stmt) {
				all = append(all, found{stmt, i, j})
			}
		}
	}
	if len(all) != 1 {
		return found{}, fmt.Errorf("statement %q found %d times, want once", st.stmt, len(all))
	}
	return all[0], nil
}

func matches(have, want string) bool {
	if start, ok := strings.CutSuffix(want, "…"); ok {
		return strings.HasPrefix(have, start)
	}
	return have == want
}

// statementText returns a statement in the notation of step.
func (s *source) statementText(stmt ast.Stmt) string {
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

func (s *source) addEdits(stmt ast.Stmt, st step) error {
	if st.before != "" {
		s.insert(stmt.Pos(), st.before)
	}
	if st.after != "" {
		s.insert(stmt.End(), st.after)
	}
	if st.old != "" {
		from, to := s.offset(stmt.Pos()), s.offset(stmt.End())
		at := strings.Index(s.text[from:to], st.old)
		if at < 0 {
			return fmt.Errorf("statement %q has no %q", st.stmt, st.old)
		}
		s.edits = append(s.edits, edit{at: from + at, drop: len(st.old), text: st.new})
	}
	return nil
}

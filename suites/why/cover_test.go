package why

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A block is a run of statements that package cover counts, with how often it is executed per operation.
type block struct {
	file                             string // below base
	line, column, endLine, endColumn int
	statements                       int
	times                            float64
}

// blocks returns the blocks of the side's package: the difference of two runs, so that set-up is left out.
func (s *side) blocks(t *testing.T) []block {
	t.Helper()
	const few, many = 10, 40
	binary := s.compile(t, "-cover", "-covermode=atomic")
	profile := filepath.Join(t.TempDir(), "cover")
	read := func(n int) []block {
		s.run(t, binary, n, "-test.coverprofile="+profile)
		text, err := os.ReadFile(profile)
		if err != nil {
			t.Fatal(err)
		}
		var all []block
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "mode:") {
				continue
			}
			var b block
			name, rest, _ := strings.Cut(strings.TrimPrefix(line, modulePath+"/"), ":")
			b.file = name
			if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %g", &b.line, &b.column, &b.endLine, &b.endColumn, &b.statements, &b.times); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			all = append(all, b)
		}
		return all
	}
	low, high := read(few), read(many)
	for i := range high {
		high[i].times = (high[i].times - low[i].times) / (many - few)
	}
	return high
}

// of returns the blocks of a function, by its name as in symbols. The first one is that of its entry.
func (s *side) of(t *testing.T, blocks []block, function string) []block {
	t.Helper()
	files, err := s.seed.Files("base", s.changed)
	if err != nil {
		t.Fatal(err)
	}
	var out []block
	for name, text := range files {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || symbol(f) != function {
				continue
			}
			from, to := set.Position(f.Body.Pos()).Line, set.Position(f.Body.End()).Line
			for _, b := range blocks {
				if b.file == name && from <= b.line && b.endLine <= to {
					out = append(out, b)
				}
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no counts of %s", function)
	}
	return out
}

// symbol returns a function's name as in symbols, without the package.
func symbol(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	switch r := f.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		return "(*" + r.X.(*ast.Ident).Name + ")." + f.Name.Name
	default:
		return r.(*ast.Ident).Name + "." + f.Name.Name
	}
}

// proveCalls: the callee is called as many times more per operation.
func proveCalls(t *testing.T, c compiled) {
	before := c.base.of(t, c.base.blocks(t), c.Proof.Callee)[0].times
	after := c.changed.of(t, c.changed.blocks(t), c.Proof.Callee)[0].times
	if before == 0 || after < c.Proof.Ratio*before*0.999 {
		t.Errorf("%v and %v calls per operation, want %v times as many", before, after, c.Proof.Ratio)
	}
}

// proveInstructions: the function executes more statements per operation, or the caller into which it is inlined has more
// instructions.
func proveInstructions(t *testing.T, c compiled) {
	if c.Proof.Code > 0 {
		n, m := len(c.codeOf[c.Proof.Caller].text), len(c.codeNow[c.Proof.Caller].text)
		if n == 0 || m < n+c.Proof.Code {
			t.Errorf("%d and %d instructions, want %d more", n, m, c.Proof.Code)
		}
		return
	}
	function := c.Place.Func
	before, after := statements(c.base.of(t, c.base.blocks(t), function)), statements(c.changed.of(t, c.changed.blocks(t), function))
	if before == 0 || after < c.Proof.Ratio*before {
		t.Errorf("%v and %v statements per operation, want %v times as many", before, after, c.Proof.Ratio)
	}
}

func statements(blocks []block) (n float64) {
	for _, b := range blocks {
		n += b.times * float64(b.statements)
	}
	return n
}

// proveSleep: the place is reached, and its text is not reached before.
func proveSleep(t *testing.T, c compiled) {
	after := 0.0
	for _, b := range c.changed.blocks(t) {
		if b.file == c.Place.File && b.line <= c.line && c.line <= b.endLine {
			after = b.times // the innermost one is the last
		}
	}
	if after < c.Proof.Times*0.9 {
		t.Errorf("%s is reached %v times per operation, want %v", c.Place.Line, after, c.Proof.Times)
	}
	files, err := c.Files("base", false)
	if err != nil {
		t.Fatal(err)
	}
	text, _, found := strings.Cut(files[c.Place.File], c.Place.Line)
	if !found {
		return
	}
	line := strings.Count(text, "\n") + 1
	for _, b := range c.base.blocks(t) {
		if b.file == c.Place.File && b.line == line && b.times > 0.1 {
			t.Errorf("%s is reached %v times per operation before", c.Place.Line, b.times)
		}
	}
}

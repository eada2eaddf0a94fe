package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNextInlined looks at the machine code of loops over Next: the one call in
// them is that of the slow way, and on amd64 the fast way is two loads, a
// store and two branches, in instructions with short offsets.
func TestNextInlined(t *testing.T) {
	t.Parallel()
	functions := disassembledNext(t)
	for _, tt := range []struct {
		name  string
		calls int
	}{
		{"main.empty", 1},
		{"main.adding", 1},
		{"main.calling", 2},
	} {
		a, ok := functions[tt.name]
		if !ok {
			t.Errorf("no function %s", tt.name)
			continue
		}
		calls := a.calls()
		if len(calls) != tt.calls || !strings.Contains(strings.Join(calls, " "), "Worker).slow") || !a.loops() {
			t.Errorf("%s: calls %q, want %d with that of slow:\n%v", tt.name, calls, tt.calls, a)
		}
		if architecture() == "amd64" && !fastNext.MatchString(noPadding.ReplaceAllString(a.String(), "")) {
			t.Errorf("%s: the fast way is another:\n%v", tt.name, a)
		}
	}
}

var fastNext = regexp.MustCompile(`MOVL 0x4\(\w+\), \w+\s+TESTL \w+, \w+\s+JNE \w+\s+MOVL 0\(\w+\), \w+\s+DECL \w+\s+MOVL \w+, 0\(\w+\)\s+TESTL \w+, \w+\s+JGE`)

// noPadding matches what the assembler puts before jumps at some addresses.
var noPadding = regexp.MustCompile(`\tNOP.*\n`)

// disassembledNext builds testdata/next and returns its functions.
func disassembledNext(t *testing.T) map[string]assembly {
	m, ok := machines[architecture()]
	if !ok {
		t.Skipf("does not know the assembly of %s", architecture())
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	// Opened here, so that go test knows that its result depends on the file.
	if _, err := os.ReadFile("testdata/next/main.go"); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "next.exe")
	if _, err := output("go", "build", "-o", bin, "./testdata/next"); err != nil {
		t.Fatal(err)
	}
	text, err := output("go", "tool", "objdump", "-s", `^main\.`, bin)
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]assembly{}
	for name, lines := range parseObjdump(text) {
		functions[name] = assembly{m, lines}
	}
	return functions
}

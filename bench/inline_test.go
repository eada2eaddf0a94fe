package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNextInlined looks at the machine code of loops over Next: the one call in
// them is that of the slow way, and on amd64 the counter is incremented where it
// lies, which is what makes the loop fast.
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
		if architecture() == "amd64" && !strings.Contains(a.String(), "INCQ 0x80(") {
			t.Errorf("%s: no increment on memory:\n%v", tt.name, a)
		}
	}
}

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

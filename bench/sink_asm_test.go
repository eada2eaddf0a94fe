package bench

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// machine is what the tests must know of an architecture's assembly as
// go tool objdump writes it.
type machine struct{ multiply, call *regexp.Regexp }

var machines = map[string]machine{
	"amd64": {regexp.MustCompile(`^I?MUL`), regexp.MustCompile(`^CALL`)},
	"arm64": {regexp.MustCompile(`^(F?MUL|MADD)`), regexp.MustCompile(`^CALL`)},
}

// backwards is the target of a jump back where targets are relative.
var backwards = regexp.MustCompile(`^-[0-9]+\(PC\)$`)

// architecture is that of the machine, or another one to which this go command
// can compile: BENCH_TEST_GOARCH=arm64 go test -run 'Sink|For|Work'
func architecture() string { return cmp.Or(os.Getenv("BENCH_TEST_GOARCH"), runtime.GOARCH) }

// assembly is the text of a function, an instruction a line.
type assembly struct {
	machine
	lines []instruction
}

type instruction struct {
	address uint64
	text    string
}

// multiplies reports whether the function multiplies.
func (a assembly) multiplies() bool {
	for _, l := range a.lines {
		if a.multiply.MatchString(l.text) {
			return true
		}
	}
	return false
}

// calls returns what the function calls, other than for more stack.
func (a assembly) calls() (to []string) {
	for _, l := range a.lines {
		if a.call.MatchString(l.text) && !strings.Contains(l.text, "runtime.morestack") {
			to = append(to, l.text)
		}
	}
	return to
}

// loops reports whether the function jumps back, behind its first instruction:
// to that one it jumps when the stack has grown.
func (a assembly) loops() bool {
	for _, l := range a.lines {
		f := strings.Fields(l.text)
		to := f[len(f)-1]
		if backwards.MatchString(to) {
			return true
		}
		target, err := strconv.ParseUint(to, 0, 64)
		if err == nil && strings.HasPrefix(to, "0x") && target < l.address && target > a.lines[0].address {
			return true
		}
	}
	return false
}

func (a assembly) String() string {
	var b strings.Builder
	for _, l := range a.lines {
		b.WriteString("\t" + l.text + "\n")
	}
	return b.String()
}

// disassembled builds testdata/plain, once, and returns a function of it.
func disassembled(t *testing.T, name string) assembly {
	t.Helper()
	m, ok := machines[architecture()]
	if !ok {
		t.Skipf("does not know the assembly of %s", architecture())
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	// Opened here, so that go test knows that its result depends on the file.
	if _, err := os.ReadFile("testdata/plain/main.go"); err != nil {
		t.Fatal(err)
	}
	functions, err := disassemble()
	if err != nil {
		t.Fatal(err)
	}
	a, ok := functions[name]
	if !ok {
		t.Fatalf("no function %s in the disassembly", name)
	}
	return assembly{m, a}
}

var disassemble = sync.OnceValues(func() (map[string][]instruction, error) {
	dir, err := os.MkdirTemp("", "plain")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	bin := filepath.Join(dir, "plain.exe")
	if _, err := output("go", "build", "-o", bin, "./testdata/plain"); err != nil {
		return nil, err
	}
	text, err := output("go", "tool", "objdump", "-s", `^(main\..*|.*/bench\.Work)$`, bin)
	if err != nil {
		return nil, err
	}
	return parseObjdump(text), nil
})

func output(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "GOARCH="+architecture())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", &commandError{strings.Join(cmd.Args, " "), err, stderr.String()}
	}
	return string(out), nil
}

type commandError struct {
	command string
	err     error
	stderr  string
}

func (e *commandError) Error() string { return e.command + ": " + e.err.Error() + "\n" + e.stderr }

// parseObjdump splits what go tool objdump prints: per function a line
// "TEXT name(SB) file", per instruction "file:line address bytes text".
func parseObjdump(text string) map[string][]instruction {
	functions := map[string][]instruction{}
	name := ""
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "TEXT "); ok {
			name, _, _ = strings.Cut(rest, "(SB)")
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		f = deleteEmpty(f)
		if len(f) < 4 {
			continue
		}
		address, err := strconv.ParseUint(f[1], 0, 64)
		if err == nil {
			functions[name] = append(functions[name], instruction{address, strings.TrimSpace(f[3])})
		}
	}
	return functions
}

func deleteEmpty(fields []string) []string {
	var kept []string
	for _, f := range fields {
		if strings.TrimSpace(f) != "" {
			kept = append(kept, f)
		}
	}
	return kept
}

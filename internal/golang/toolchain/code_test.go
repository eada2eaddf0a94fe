package toolchain_test

import (
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// instruction is a line of `go tool objdump`: where in its function, its bytes,
// and what it says.
type instruction struct {
	at         int64
	code, text string
}

// disassemble returns the functions of a binary whose names match.
func disassemble(t *testing.T, path, match string) map[string][]instruction {
	t.Helper()
	out, err := exec.Command("go", "tool", "objdump", "-s", match, path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	funcs := map[string][]instruction{}
	name, start := "", int64(-1)
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "TEXT "); ok {
			name, _, _ = strings.Cut(rest, "(SB)")
			start = -1
			continue
		}
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		at, err := strconv.ParseInt(f[1], 0, 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if start < 0 {
			start = at
		}
		funcs[name] = append(funcs[name], instruction{at - start, f[2], strings.Join(f[3:], " ")})
	}
	return funcs
}

// moved is an operand relative to the instruction, which depends on where the
// linker put what it names.
var moved = regexp.MustCompile(`0x[0-9a-f]+\(IP\)`)

// relocated reports whether two instructions differ in nothing but the address
// of what they mention.
func relocated(a, b instruction) bool {
	return a.at == b.at && len(a.code) == len(b.code) &&
		moved.ReplaceAllString(a.text, "@") == moved.ReplaceAllString(b.text, "@") &&
		(strings.Contains(a.text, "(SB)") || moved.MatchString(a.text))
}

// TestSameCode: what benchmarks run while they are timed is the same machine
// code with hooks as without, but for the addresses of what it mentions.
func TestSameCode(t *testing.T) {
	testutil.NeedLong(t, "builds the standard library again")
	if runtime.GOARCH != "amd64" {
		t.Skip("knows how amd64 is written")
	}
	const match = `^(example\.com/kinds\.Benchmark|example\.com/kinds\.third$|testing\.\(\*B\)\.(Loop|Elapsed|RunParallel|SetBytes))`
	deep := disassemble(t, deepKinds(t).Path, match)
	plain := disassemble(t, plainKinds(t).Path, match)
	for _, name := range []string{
		"testing.(*B).Loop", "testing.(*B).RunParallel.func1",
		"example.com/kinds.BenchmarkEmptyLoop", "example.com/kinds.BenchmarkEmpty", "example.com/kinds.BenchmarkParallel.func1",
	} {
		if len(plain[name]) == 0 {
			t.Errorf("%s is not in the binary", name)
		}
	}
	if len(deep) != len(plain) {
		t.Errorf("%d functions, without hooks %d", len(deep), len(plain))
	}
	same := 0
	for name, want := range plain {
		have := deep[name]
		if len(have) != len(want) {
			t.Errorf("%s has %d instructions, without hooks %d", name, len(have), len(want))
			continue
		}
		for i, w := range want {
			h := have[i]
			if h.at == w.at && h.code == w.code {
				same++
			} else if !relocated(h, w) {
				t.Errorf("%s+%#x: %s (%s), without hooks %s (%s)", name, w.at, h.text, h.code, w.text, w.code)
			}
		}
	}
	t.Logf("%d functions, %d instructions are the same byte for byte", len(plain), same)
	for i, w := range plain["testing.(*B).Loop"] {
		h := deep["testing.(*B).Loop"][i]
		if h.code != w.code && !strings.HasPrefix(w.text, "CALL ") {
			t.Errorf("Loop+%#x: %s, without hooks %s", w.at, h.text, w.text)
		}
	}
}

package disasm

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// objdump finds GNU objdump for a machine. Without it the test is skipped, or, for
// this machine's kind, fails if TARE_REQUIRE_SERVERS is 1.
func objdump(t *testing.T, arch string) string {
	t.Helper()
	format := map[string]string{"amd64": "elf64-x86-64", "386": "elf32-i386", "arm64": "elf64-littleaarch64"}[arch]
	for _, name := range []string{"objdump", "x86_64-linux-gnu-objdump", "aarch64-linux-gnu-objdump"} {
		out, err := exec.Command(name, "--info").Output()
		if err == nil && strings.Contains(string(out), format) {
			return name
		}
	}
	if arch == runtime.GOARCH && os.Getenv("TARE_REQUIRE_SERVERS") == "1" {
		t.Fatal("GNU objdump is missing (Debian: binutils), and TARE_REQUIRE_SERVERS is 1")
	}
	t.Skipf("GNU objdump for %s is missing (Debian: binutils, binutils-aarch64-linux-gnu)", arch)
	return ""
}

// beginnings are the addresses of all instructions that objdump sees, ascending.
func beginnings(t *testing.T, objdump, path string) []uint64 {
	t.Helper()
	cmd := exec.Command(objdump, "--disassemble", "--disassemble-zeroes", "--wide", "--no-show-raw-insn", "--section=.text", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var all []uint64
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		addr, _, ok := strings.Cut(strings.TrimSpace(lines.Text()), ":\t")
		if a, err := strconv.ParseUint(addr, 16, 64); ok && err == nil {
			all = append(all, a)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%s: %v", objdump, err)
	}
	return all
}

// Instructions begin where GNU objdump sees them begin, but for 1 of 10 000.
func TestObjdump(t *testing.T) {
	t.Run("go command", func(t *testing.T) {
		testutil.NeedLong(t, "the go command is large")
		if sample > 1 {
			t.Skip("takes long under the race detector, and goroutines are none in it")
		}
		compare(t, goCommand(t))
	})
	for _, arch := range Archs() {
		t.Run(arch, func(t *testing.T) {
			objdump(t, arch)
			compare(t, build(t, arch).path)
		})
	}
}

func compare(t *testing.T, path string) {
	p := open(t, path)
	want := beginnings(t, objdump(t, p.arch), path)
	d, err := decoderFor(p.arch)
	if err != nil {
		t.Fatal(err)
	}
	insts, off := 0, 0
	for _, f := range p.funcs {
		var got []uint64
		for _, in := range split(d, f.addr, f.code, f.of(p.lines)) {
			got = append(got, in.Addr)
		}
		insts += len(got)
		if missed, more := difference(f.of(want), got); len(missed)+len(more) > 0 {
			off += len(missed) + len(more)
			t.Logf("%s: instructions begin at %#x, for objdump at %#x", f.name, more, missed)
		}
	}
	t.Logf("%s: %d of %d instructions begin elsewhere", filepath.Base(path), off, insts)
	if insts < 100000/sample || off > insts/10000 {
		t.Errorf("%d of %d instructions begin elsewhere, at most 1 of 10 000 expected", off, insts)
	}
}

// difference is what is in one of two sorted lists only.
func difference(x, y []uint64) (onlyX, onlyY []uint64) {
	for len(x) > 0 || len(y) > 0 {
		switch {
		case len(y) == 0 || len(x) > 0 && x[0] < y[0]:
			onlyX, x = append(onlyX, x[0]), x[1:]
		case len(x) == 0 || y[0] < x[0]:
			onlyY, y = append(onlyY, y[0]), y[1:]
		default:
			x, y = x[1:], y[1:]
		}
	}
	return onlyX, onlyY
}

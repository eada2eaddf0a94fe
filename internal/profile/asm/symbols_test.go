package asm

import (
	"encoding/binary"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestData: what the go command's disassembler calls by a name in the functions of a
// program, we do, too.
func TestData(t *testing.T) {
	testutil.NeedLong(t, "builds a program")
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("instructions of amd64 in ELF")
	}
	path := filepath.Join(t.TempDir(), "loops") // go test strips its own
	if out, err := exec.Command("go", "build", "-o", path, "./testdata/loops").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := objfile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := f.Functions()
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.Data()
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, name := range []string{"main.main", "runtime.gcStart", "runtime.schedule", "runtime.mallocgc", "runtime.memmove", "runtime.main", "runtime.schedinit", "runtime.findRunnable"} {
		for _, fn := range table.Named(name) {
			if fn.Wrapper {
				continue
			}
			code, err := f.Text(fn)
			if err != nil {
				t.Fatal(err)
			}
			ours := map[string]bool{}
			for _, s := range references("amd64", fn.Entry, code, names{table.Find, data.Find}) {
				ours[s.Name] = true
			}
			for theirs := range disassembled(t, path, fn) {
				if checked++; !ours[theirs] {
					t.Errorf("%s refers to %s: not found", name, theirs)
				}
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d names only", checked)
	}
}

// TestOperands: what follows a distance in an instruction is taken into account.
func TestOperands(t *testing.T) {
	datum := func(at uint64) (objfile.Datum, bool) {
		return objfile.Datum{Name: "x", Addr: 0x5000, End: 0x5010}, at >= 0x5000 && at < 0x5010
	}
	nothing := func(uint64) (objfile.Function, bool) { return objfile.Function{}, false }
	for _, c := range []struct {
		what     string
		before   []byte // up to ModR/M
		constant int
	}{
		{"MOVQ x, DX", []byte{0x48, 0x8b, 0x15}, 0},
		{"CMPL x, $0", []byte{0x83, 0x3d}, 1},
		{"CMPB x, $0", []byte{0x80, 0x3d}, 1},
		{"MOVL $1, x", []byte{0xc7, 0x05}, 4},
		{"MOVW $1, x", []byte{0x66, 0xc7, 0x05}, 2},
		{"TESTL $1, x", []byte{0xf7, 0x05}, 4},
		{"NEGL x", []byte{0xf7, 0x1d}, 0},
		{"MOVZX x, AX", []byte{0x0f, 0xb6, 0x05}, 0},
		{"PSHUFD $1, x, X0", []byte{0x66, 0x0f, 0x70, 0x05}, 1},
		{"ROUNDSD $1, x, X0", []byte{0x66, 0x0f, 0x3a, 0x0b, 0x05}, 1},
	} {
		end := 0x1000 + len(c.before) + 4 + c.constant
		code := binary.LittleEndian.AppendUint32(c.before, uint32(0x5008-end))
		code = append(code, make([]byte, c.constant)...)
		got := references("amd64", 0x1000, code, names{nothing, datum})
		if len(got) != 1 || got[0] != (record.AsmSymbol{Addr: 0x5008, Name: "x+8"}) {
			t.Errorf("%s: %+v", c.what, got)
		}
	}
	got := references("386", 0x1000, []byte{0x8b, 0x15, 0x00, 0x50, 0, 0}, names{nothing, datum})
	if len(got) != 1 || got[0] != (record.AsmSymbol{Addr: 0x5000, Name: "x"}) {
		t.Errorf("386: %+v", got)
	}
}

var operand = regexp.MustCompile(`([\w./%()*\[\]-]+(?:\+\d+)?)\(SB\)`)

// disassembled are the names that go tool objdump gives to operands of a function, but
// for those of the data that Go's linker puts together.
func disassembled(t *testing.T, path string, fn objfile.Function) map[string]bool {
	t.Helper()
	out, err := exec.Command("go", "tool", "objdump", "-s", "^"+regexp.QuoteMeta(fn.Name)+"$", path).Output()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		f := strings.Fields(line)
		if len(f) < 4 {
			continue
		}
		at, err := strconv.ParseUint(f[1], 0, 64)
		m := operand.FindStringSubmatch(line)
		if err != nil || m == nil || at < fn.Entry || at >= fn.End || strings.Contains(m[1], "*+") || strings.HasSuffix(m[1], "*") || m[1] == fn.Name {
			continue
		}
		found[strings.TrimSuffix(m[1], ".abi0")] = true // which the table of functions does not tell
	}
	return found
}

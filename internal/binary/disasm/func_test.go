package disasm

import (
	"fmt"
	"strings"
	"testing"
)

func TestUnknown(t *testing.T) {
	if _, err := Func("riscv64", base, nil, nil, Go, nil); err == nil || !strings.Contains(err.Error(), `"riscv64"`) || !strings.Contains(err.Error(), "amd64") {
		t.Errorf("an arch that is not known: %v", err)
	}
	if _, err := Func("amd64", base, nil, nil, "masm", nil); err == nil || !strings.Contains(err.Error(), `"masm"`) || !strings.Contains(err.Error(), "intel") {
		t.Errorf("a syntax that is not known: %v", err)
	}
	for _, arch := range Archs() {
		if insts, err := Func(arch, base, nil, []uint64{base}, Go, nil); len(insts) != 0 || err != nil {
			t.Errorf("%s: no code: %v, %v", arch, insts, err)
		}
	}
}

func TestPadding(t *testing.T) {
	for _, c := range []struct {
		name, arch, code string
		pads             int
	}{
		{"INT3 of Go's linker", "amd64", "c3 cc cc cc", 3},
		{"NOP of compilers of C", "amd64", "c3 66 90 0f 1f 84 00 00 00 00 00 90", 3},
		{"nothing but padding", "amd64", "cc cc", 2},
		{"INT3 in the middle", "amd64", "cc c3", 0},
		{"UD2 is no padding", "amd64", "c3 0f 0b", 0},
		{"an unfinished instruction", "amd64", "cc 0f", 0},
		{"words of zeros", "arm64", "c0 03 5f d6 00 00 00 00 00 00 00 00", 2},
		{"UDF that somebody wrote", "arm64", "c0 03 5f d6 01 00 00 00", 0},
		{"NOP of arm64", "arm64", "c0 03 5f d6 1f 20 03 d5", 1},
	} {
		insts, err := Func(c.arch, base, bytesOf(t, c.code), nil, Go, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, in := range insts {
			if want := i >= len(insts)-c.pads; in.Padding != want {
				t.Errorf("%s: %s at %#x: padding %v, want %v", c.name, in.Text, in.Addr, in.Padding, want)
			}
		}
	}
}

func TestSymbols(t *testing.T) {
	symbol := func(addr uint64) (string, uint64) {
		switch {
		case addr >= 0x402000 && addr < 0x403000:
			return "main.f", 0x402000
		case addr >= 0x500000 && addr < 0x500100:
			return "main.table", 0x500000
		}
		return "", 0
	}
	for _, c := range []struct{ code, goText, intel, att string }{
		{"e8 fb 0f 00 00", "CALL main.f(SB)", "call main.f", "call main.f"},
		{"e8 fc 0f 00 00", "CALL 0x402001", "call 0x402001", "call 0x402001"},
		{"48 8b 05 01 f0 0f 00", "MOVQ main.table+8(SB), AX", "mov rax, qword ptr [main.table+8]", "mov main.table+8,%rax"},
		{"c5 fe 6f 05 f8 ef 0f 00", "VMOVDQU main.table(SB), Y0", "vmovdqu ymm0, ymmword ptr [main.table]", "vmovdqu main.table,%ymm0"},
		{"66 48 0f 38 f6 1d f6 ef 0f 00", "ADCXQ main.table(SB), BX", "adcx rbx, qword ptr [main.table]", "adcx main.table,%rbx"},
	} {
		for syntax, want := range map[Syntax]string{Go: c.goText, Intel: c.intel, ATT: c.att} {
			insts, err := Func("amd64", base, bytesOf(t, c.code), nil, syntax, symbol)
			if err != nil {
				t.Fatal(err)
			}
			if len(insts) != 1 || insts[0].Text != want {
				t.Errorf("%s in %s syntax: %q, want %q", c.code, syntax, insts[0].Text, want)
			}
		}
	}
}

func TestFlowString(t *testing.T) {
	if got := fmt.Sprint(Next, IndirectJump, Flow(99)); got != "next indirect jump unknown" {
		t.Error(got)
	}
	in := Inst{Addr: 8, Len: 2, Flow: Branch}
	if !in.Direct() || in.End() != 10 || (&Inst{Flow: IndirectCall}).Direct() {
		t.Error(in)
	}
}

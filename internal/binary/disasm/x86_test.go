package disasm

import (
	"encoding/hex"
	"strings"
	"testing"
)

// base is the address of the code in tables.
const base = 0x401000

// bytesOf reads what is written in hexadecimal digits.
func bytesOf(t testing.TB, digits string) []byte {
	t.Helper()
	code, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// one disassembles code that is one instruction, with others behind it.
func one(t testing.TB, arch, digits, behind string, syntax Syntax) Inst {
	t.Helper()
	code := bytesOf(t, digits)
	insts, err := Func(arch, base, append(code, bytesOf(t, behind)...), nil, syntax, nil)
	if err != nil {
		t.Fatal(err)
	}
	if insts[0].Len != len(code) || insts[0].Bad {
		t.Errorf("%s %s: %+v, want an instruction of %d bytes", arch, digits, insts[0], len(code))
	}
	return insts[0]
}

func TestX86(t *testing.T) {
	for _, c := range []struct {
		code   string
		goText string // "" if only the others are of interest
		intel  string
		att    string
		flow   Flow
		target uint64
	}{
		{code: "48 8b 48 08", goText: "MOVQ 0x8(AX), CX", intel: "mov rcx, qword ptr [rax+0x8]", att: "mov 0x8(%rax),%rcx"},
		{code: "48 39 d1", goText: "CMPQ CX, DX", intel: "cmp rcx, rdx", att: "cmp %rdx,%rcx"},
		{code: "f2 0f 10 c1", goText: "MOVSD X1, X0", intel: "movsd xmm0, xmm1", att: "movsd %xmm1,%xmm0"},
		{code: "48 63 d2", goText: "MOVSXD DX, DX", intel: "movsxd rdx, edx", att: "movslq %edx,%rdx"},
		{code: "c4 63 fb f0 e3 1c", goText: "RORXQ $0x1c, BX, R12", intel: "rorx r12, rbx, 0x1c", att: "rorx $0x1c,%rbx,%r12"},
		{code: "48 0f 4f c1", goText: "CMOVG CX, AX", intel: "cmovg rax, rcx", att: "cmovg %rcx,%rax"},
		{code: "f3 48 ab", goText: "REP; STOSQ AX, ES:0(DI)", intel: "rep stosq qword ptr [rdi]", att: "rep stos %rax,%es:(%rdi)"},
		{code: "f0 0f b1 11", goText: "LOCK CMPXCHGL DX, 0(CX)", intel: "lock cmpxchg dword ptr [rcx], edx", att: "lock cmpxchg %edx,(%rcx)"},

		// Where it leads to.
		{code: "74 10", goText: "JE 0x401012", intel: "je 0x401012", att: "je 0x401012", flow: Branch, target: 0x401012},
		{code: "0f 86 00 ff ff ff", goText: "JBE 0x400f06", intel: "jbe 0x400f06", att: "jbe 0x400f06", flow: Branch, target: 0x400f06},
		{code: "e3 fe", goText: "JRCXZ 0x401000", intel: "jrcxz 0x401000", att: "jrcxz 0x401000", flow: Branch, target: 0x401000},
		{code: "eb fe", goText: "JMP 0x401000", intel: "jmp 0x401000", att: "jmp 0x401000", flow: Jump, target: 0x401000},
		{code: "e9 0c ff ff ff", goText: "JMP 0x400f11", flow: Jump, target: 0x400f11},
		{code: "e8 fb 0f 00 00", goText: "CALL 0x402000", intel: "call 0x402000", att: "call 0x402000", flow: Call, target: 0x402000},
		{code: "ff d1", goText: "CALL CX", intel: "call rcx", att: "call *%rcx", flow: IndirectCall},
		{code: "ff 24 c8", goText: "JMP 0(AX)(CX*8)", intel: "jmp qword ptr [rax+8*rcx]", flow: IndirectJump},
		{code: "c3", goText: "RET", intel: "ret", att: "ret", flow: Return},
		{code: "cc", goText: "INT $0x3", intel: "int3", att: "int3", flow: Trap},
		{code: "0f 0b", goText: "UD2", intel: "ud2", att: "ud2", flow: Trap},
		{code: "cd 80", goText: "INT $0x80", intel: "int 0x80", att: "int $0x80"},
		{code: "0f 05", goText: "SYSCALL", intel: "syscall", att: "syscall"},

		// Vectors. Behind VZEROUPPER is what the decoder would take for an operand.
		{code: "c5 fd 74 c1", goText: "VPCMPEQB Y1, Y0, Y0", intel: "vpcmpeqb ymm0, ymm0, ymm1", att: "vpcmpeqb %ymm1,%ymm0,%ymm0"},
		{code: "c5 f8 77", goText: "VZEROUPPER", intel: "vzeroupper", att: "vzeroupper"},
		{code: "c5 fc 77", goText: "VZEROALL", intel: "vzeroall", att: "vzeroall"},
		{code: "c4 e1 78 77", goText: "VZEROUPPER", intel: "vzeroupper", att: "vzeroupper"},
		{code: "c5 fe 6f 05 10 00 00 00", goText: "VMOVDQU 0x10(IP), Y0", intel: "vmovdqu ymm0, ymmword ptr [rip+0x10]", att: "vmovdqu 0x10(%rip),%ymm0"},
		{code: "c4 e2 7d 18 05 10 00 00 00", goText: "VBROADCASTSS 0x10(IP), Y0", intel: "vbroadcastss ymm0, dword ptr [rip+0x10]", att: "vbroadcastss 0x10(%rip),%ymm0"},
		{code: "62 f1 7c 48 28 05 10 00 00 00", goText: "VMOVAPS 0x10(IP), Z0", intel: "vmovaps zmm0, zmmword ptr [rip+0x10]", att: "vmovaps 0x10(%rip),%zmm0"},
		{code: "c5 fd 6f 0c 85 10 00 00 00", goText: "VMOVDQA 0x10(AX*4), Y1", intel: "vmovdqa ymm1, ymmword ptr [4*rax+0x10]", att: "vmovdqa 0x10(,%rax,4),%ymm1"},

		// What the decoder has no tables for.
		{code: "66 0f 38 f6 c1", goText: "ADCXL CX, AX", intel: "adcx eax, ecx", att: "adcx %ecx,%eax"},
		{code: "66 48 0f 38 f6 de", goText: "ADCXQ SI, BX", intel: "adcx rbx, rsi", att: "adcx %rsi,%rbx"},
		{code: "f3 4c 0f 38 f6 80 f8 00 00 00", goText: "ADOXQ 0xf8(AX), R8", intel: "adox r8, qword ptr [rax+0xf8]", att: "adox 0xf8(%rax),%r8"},
		{code: "66 48 0f 38 f6 1d 10 00 00 00", goText: "ADCXQ 0x10(IP), BX", intel: "adcx rbx, qword ptr [rip+0x10]", att: "adcx 0x10(%rip),%rbx"},
		{code: "f3 0f 1e fa", goText: "ENDBR64", intel: "endbr64", att: "endbr64"},
		{code: "0f 01 ef", goText: "WRPKRU", intel: "wrpkru", att: "wrpkru"},
	} {
		for syntax, want := range map[Syntax]string{Go: c.goText, Intel: c.intel, ATT: c.att} {
			in := one(t, "amd64", c.code, "e9 0c ff ff ff 90 90 90 90 90", syntax)
			if want != "" && in.Text != want {
				t.Errorf("%s in %s syntax: %q, want %q", c.code, syntax, in.Text, want)
			}
			if in.Flow != c.flow || in.Target != c.target {
				t.Errorf("%s: %v to %#x, want %v to %#x", c.code, in.Flow, in.Target, c.flow, c.target)
			}
		}
	}
}

func TestX86Mnemonics(t *testing.T) {
	for _, c := range []struct {
		code   string
		syntax Syntax
		want   string
	}{
		{"f3 48 ab", Go, "STOSQ"},
		{"f3 48 ab", Intel, "stosq"},
		{"f0 48 0f c1 08", Go, "XADDQ"},
		{"f0 48 0f c1 08", ATT, "xadd"},
		{"66 48 0f 38 f6 de", Go, "ADCXQ"},
		{"c3", ATT, "ret"},
		{"66 90", Intel, "nop"},
		{"74 10", Intel, "je"},
	} {
		if got := one(t, "amd64", c.code, "90", c.syntax).Op; got != c.want {
			t.Errorf("%s in %s syntax: mnemonic %q, want %q", c.code, c.syntax, got, c.want)
		}
	}
}

// In 32 bits, addresses wrap and there is no REX.
func Test386(t *testing.T) {
	if in := one(t, "386", "66 0f 38 f6 c1", "90", Go); in.Text != "ADCXL CX, AX" {
		t.Errorf("ADCX: %q", in.Text)
	}
	if in := one(t, "386", "48", "90", Go); in.Text != "DECL AX" {
		t.Errorf("DEC: %q", in.Text)
	}
	if in := one(t, "386", "e8 fb ef bf ff", "90", Go); in.Flow != Call || in.Target != 0 || in.Text != "CALL 0x0" {
		t.Errorf("call of address 0: %+v", in)
	}
	if in := one(t, "386", "e8 fb ef bf 7f", "90", Go); in.Target != 0x80000000 {
		t.Errorf("call upwards: %+v", in)
	}
	if in := one(t, "386", "e9 fa ef bf ff", "90", ATT); in.Target != 0xffffffff {
		t.Errorf("jump below 0: %+v", in)
	}
}

func TestBadX86(t *testing.T) {
	insts, err := Func("amd64", base, bytesOf(t, "06 90 ff"), nil, Intel, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Inst{
		{Addr: base, Len: 1, Text: "BYTE $0x06", Op: "BYTE", Bad: true},
		{Addr: base + 1, Len: 1, Text: "nop", Op: "nop"},
		{Addr: base + 2, Len: 1, Text: "BYTE $0xff", Op: "BYTE", Bad: true},
	} {
		if insts[i] != want {
			t.Errorf("instruction %d: %+v, want %+v", i, insts[i], want)
		}
	}
}

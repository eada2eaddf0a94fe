package disasm

import (
	"fmt"
	"strings"
)

// extraInst is an instruction of arm64 that the decoder of x/arch (0.32.0) does not know. Encodings are from
// the Arm Architecture Reference Manual for A-profile, chapters C6 and C7.
type extraInst struct {
	mask, bits uint32
	flow       Flow
	text       func(word uint32, syntax Syntax) (op, args string)
}

// extraARM64 is searched in this order.
var extraARM64 = []extraInst{
	{0xffff0000, 0x00000000, Trap, udf},
	{0xfffff0ff, 0xd503405f, Next, setDIT},
	{0x3fa07c00, 0x08a07c00, Next, compareSwap},
	{0xbfa07c00, 0x08207c00, Next, compareSwapPair},
	{0x3f208c00, 0x38200000, Next, fetch},
	{0x3f20fc00, 0x38208000, Next, swap},
	{0xffe0fc00, 0xce608000, Next, hashFormat("SHA512H", "q q d")},
	{0xffe0fc00, 0xce608400, Next, hashFormat("SHA512H2", "q q d")},
	{0xffe0fc00, 0xce608800, Next, hashFormat("SHA512SU1", "d d d")},
	{0xfffffc00, 0xcec08000, Next, hashFormat("SHA512SU0", "d d")},
	{0xffe0fc00, 0xce608c00, Next, hashFormat("RAX1", "d d d")},
	{0xffe08000, 0xce000000, Next, hashFormat("EOR3", "b b b b")},
	{0xffe08000, 0xce200000, Next, hashFormat("BCAX", "b b b b")},
	{0xffe00000, 0xce800000, Next, hashFormat("XAR", "d d d #")},
}

// findExtraARM64 returns the instruction of armInsts that matches word.
func findExtraARM64(word uint32) (*extraInst, bool) {
	for i := range extraARM64 {
		if in := &extraARM64[i]; word&in.mask == in.bits {
			return in, true
		}
	}
	return nil, false
}

// field returns bits of a word.
func field(word uint32, shift, bits uint) uint32 { return word >> shift & (1<<bits - 1) }

// Register fields of most instructions.
func rd(word uint32) uint32 { return field(word, 0, 5) }
func rn(word uint32) uint32 { return field(word, 5, 5) }
func rm(word uint32) uint32 { return field(word, 16, 5) }

func udf(word uint32, syntax Syntax) (op, args string) {
	if syntax == Go {
		return "UDF", fmt.Sprintf("$%d", word)
	}
	return "udf", fmt.Sprintf("#%d", word)
}

// setDIT is MSR DIT, which makes the time of instructions independent of data.
func setDIT(word uint32, syntax Syntax) (op, args string) {
	if syntax == Go {
		return "MSR", fmt.Sprintf("$%d, DIT", field(word, 8, 4))
	}
	return "msr", fmt.Sprintf("dit, #%#x", field(word, 8, 4))
}

// Atomic instructions of LSE. The two highest bits are the width; acquire and release have a bit each.

// compareSwap is CAS: it compares memory with Rs, stores Rt if equal, and puts the old value into Rs.
func compareSwap(word uint32, syntax Syntax) (op, args string) {
	return atomic("CAS", order(field(word, 22, 1), field(word, 15, 1)), word, syntax)
}

// fetch decodes atomic operations such as LDADD, which apply Rs to memory and put the old value into Rt.
func fetch(word uint32, syntax Syntax) (op, args string) {
	names := [...]string{"LDADD", "LDCLR", "LDEOR", "LDSET", "LDSMAX", "LDSMIN", "LDUMAX", "LDUMIN"}
	name := names[field(word, 12, 3)]
	if syntax == Go && name == "LDSET" {
		name = "LDOR" // the name in Go's assembler
	}
	return atomic(name, order(field(word, 23, 1), field(word, 22, 1)), word, syntax)
}

func swap(word uint32, syntax Syntax) (op, args string) {
	return atomic("SWP", order(field(word, 23, 1), field(word, 22, 1)), word, syntax)
}

// order returns the suffix for acquire and release.
func order(acquire, release uint32) string {
	return strings.Repeat("A", int(acquire)) + strings.Repeat("L", int(release))
}

func atomic(name, order string, word uint32, syntax Syntax) (op, args string) {
	size := field(word, 30, 2)
	if syntax == Go {
		return name + order + "BHWD"[size:size+1], fmt.Sprintf("%s, (%s), %s", goReg(rm(word)), goBase(rn(word)), goReg(rd(word)))
	}
	if store := storeOnly(name, order, word); store != "" {
		return strings.ToLower(store + sizes[size]), fmt.Sprintf("%s, [%s]", armReg(rm(word), size), armBase(rn(word)))
	}
	return strings.ToLower(name + order + sizes[size]),
		fmt.Sprintf("%s, %s, [%s]", armReg(rm(word), size), armReg(rd(word), size), armBase(rn(word)))
}

// sizes are ARM's suffixes for bytes, half words, words and double words.
var sizes = [...]string{"B", "H", "", ""}

// storeOnly returns ARM's preferred name if the old value is discarded, else "".
func storeOnly(name, order string, word uint32) string {
	const zero = 31
	if rest, ok := strings.CutPrefix(name, "LD"); ok && rd(word) == zero && !strings.HasPrefix(order, "A") {
		return "ST" + rest + order
	}
	return ""
}

// compareSwapPair is CASP: CAS of two adjacent registers.
func compareSwapPair(word uint32, syntax Syntax) (op, args string) {
	name := "CASP" + order(field(word, 22, 1), field(word, 15, 1))
	size := field(word, 30, 1) + 2
	s, t := rm(word), rd(word)
	if syntax == Go {
		return name + "BHWD"[size:size+1], fmt.Sprintf("(%s, %s), (%s), (%s, %s)", goReg(s), goReg(s+1), goBase(rn(word)), goReg(t), goReg(t+1))
	}
	return strings.ToLower(name), fmt.Sprintf("%s, %s, %s, %s, [%s]",
		armReg(s, size), armReg(s+1, size), armReg(t, size), armReg(t+1, size), armBase(rn(word)))
}

// hashFormat returns the formatter of an instruction of SHA-512 or SHA-3. operands are the kinds of Rd, Rn, Rm and
// Ra: 128 bits (q), 2×64 (d) or 16×8 (b); # is a number in place of Ra.
func hashFormat(name, operands string) func(word uint32, syntax Syntax) (op, args string) {
	kinds := strings.Fields(operands)
	return func(word uint32, syntax Syntax) (string, string) {
		regs := [...]uint32{rd(word), rn(word), rm(word), field(word, 10, 5)}
		args := make([]string, len(kinds))
		for i, kind := range kinds {
			at := i
			if syntax == Go {
				at = len(kinds) - 1 - i // the destination is last
			}
			args[at] = vector(kind, regs[i], field(word, 10, 6), syntax)
		}
		op := strings.ToLower(name)
		if syntax == Go {
			op = name
			if !strings.HasPrefix(name, "SHA") {
				op = "V" + name
			}
		}
		return op, strings.Join(args, ", ")
	}
}

func vector(kind string, reg, number uint32, syntax Syntax) string {
	type key struct {
		kind string
		inGo bool
	}
	format := map[key]string{
		{"q", true}: "V%d", {"d", true}: "V%d.D2", {"b", true}: "V%d.B16", {"#", true}: "$%d",
		{"q", false}: "q%d", {"d", false}: "v%d.2d", {"b", false}: "v%d.16b", {"#", false}: "#%d",
	}[key{kind, syntax == Go}]
	if kind == "#" {
		reg = number
	}
	return fmt.Sprintf(format, reg)
}

// goReg returns a register name where 31 is the zero register.
func goReg(n uint32) string {
	if n == 31 {
		return "ZR"
	}
	return fmt.Sprintf("R%d", n)
}

// goBase returns a register name where 31 is the stack pointer.
func goBase(n uint32) string {
	if n == 31 {
		return "RSP"
	}
	return fmt.Sprintf("R%d", n)
}

func armReg(n, size uint32) string {
	letter := "w"
	if size == 3 {
		letter = "x"
	}
	if n == 31 {
		return letter + "zr"
	}
	return fmt.Sprintf("%s%d", letter, n)
}

func armBase(n uint32) string {
	if n == 31 {
		return "sp"
	}
	return fmt.Sprintf("x%d", n)
}

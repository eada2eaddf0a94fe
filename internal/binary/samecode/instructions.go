package samecode

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tarebench/tare/internal/binary/disasm"
	"github.com/tarebench/tare/internal/binary/objfile"
)

// function is the code of one function, or of several of one name.
type function struct {
	keys    []string // one for each instruction: the same in two binaries if the instructions are
	callees []string // functions that it calls directly or takes as a value
}

// instructions reads a function. It reports false if an address in its code cannot be named.
func (b *Binary) instructions(name string) (function, bool) {
	var out function
	for _, f := range b.byName[name] {
		code, err := b.file.Text(f)
		if err != nil {
			return function{}, false
		}
		insts, err := disasm.Func(b.file.Arch(), f.Entry, code, nil, disasm.Go, mark)
		if err != nil {
			return function{}, false
		}
		r := reader{b: b, f: f, code: code, insts: insts, out: &out}
		for i := range insts {
			if !insts[i].Padding && !r.add(i) {
				return function{}, false
			}
		}
	}
	return out, len(out.keys) > 0
}

// mark has the disassembler write every address as a mark, which is replaced when the instructions around it are known.
func mark(addr uint64) (name string, base uint64) { return fmt.Sprintf("@%x@", addr), addr }

// marked finds the address of an operand in memory. Marks of plain numbers begin with $.
var marked = regexp.MustCompile(`(^|[^$])@([0-9a-f]+)@\(SB\)`)

// reader reads the instructions of one function.
type reader struct {
	b     *Binary
	f     objfile.Function
	code  []byte
	insts []disasm.Inst
	out   *function
}

// add adds the key of an instruction.
func (r *reader) add(i int) bool {
	in := r.insts[i]
	key := fmt.Sprintf("%x", r.code[in.Addr-r.f.Entry:][:in.Len])
	switch m := marked.FindStringSubmatch(in.Text); {
	case in.Bad:
	case in.Direct():
		to, ok := r.target(in.Target)
		if !ok {
			return false
		}
		key = in.Op + " " + to
	case m != nil:
		addr, err := strconv.ParseUint(m[2], 16, 64)
		if err != nil {
			return false
		}
		name, ok := r.operand(i, addr)
		if !ok {
			return false
		}
		key = strings.Replace(in.Text, "@"+m[2]+"@", name, 1)
	}
	r.out.keys = append(r.out.keys, key)
	return true
}

// target names the target of a jump or a call.
func (r *reader) target(addr uint64) (string, bool) {
	if addr >= r.f.Entry && addr < r.f.End {
		return fmt.Sprintf("+%#x", addr-r.f.Entry), true
	}
	f, ok := r.b.table.Find(addr)
	if !ok {
		return "", false
	}
	r.out.callees = append(r.out.callees, f.Name)
	return fmt.Sprintf("%s+%#x", f.Name, addr-f.Entry), true
}

// Sizes of what the compiler refers to without a name.
const (
	pointerSize = 8
	typeSize    = 20 // of a type descriptor: size, size of the part with pointers, hash (internal/abi.Type)
	defaultSize = 64 // compared bytes of a constant whose size the code does not tell
	maxSize     = 1 << 16
)

// operand names the address to which the instruction at index i refers.
func (r *reader) operand(i int, addr uint64) (string, bool) {
	if f, ok := r.b.table.Find(addr); ok {
		r.out.callees = append(r.out.callees, f.Name)
		return fmt.Sprintf("%s+%#x", f.Name, addr-f.Entry), true
	}
	if d, ok := r.b.data.Find(addr); ok {
		return fmt.Sprintf("%s+%#x", d.Name, addr-d.Addr), true
	}
	if p := r.b.code.Constant(addr, pointerSize); p != nil {
		if f, ok := r.b.table.Find(binary.LittleEndian.Uint64(p)); ok && f.Entry == binary.LittleEndian.Uint64(p) {
			r.out.callees = append(r.out.callees, f.Name)
			return "function value " + f.Name, true
		}
	}
	if name, ok := r.b.code.TypeName(addr); ok {
		return fmt.Sprintf("type %s %x", name, r.b.code.Constant(addr, typeSize)), true
	}
	if text := r.header(i, addr); text != nil {
		return fmt.Sprintf("string %x", text), true
	}
	c := r.b.code.Constant(addr, r.size(i))
	return fmt.Sprintf("constant %x", c), c != nil
}

// near returns the instructions around an index that may belong to the same expression.
func (r *reader) near(i int) []disasm.Inst { return r.insts[max(0, i-3):min(len(r.insts), i+4)] }

// header returns the text of the constant string whose header is at addr, nil if there is none. Code that makes an interface
// value of a constant string has the type string close by.
func (r *reader) header(i int, addr uint64) []byte {
	h := r.b.code.Constant(addr, 2*pointerSize)
	if h == nil || !slices.ContainsFunc(r.near(i), r.isStringType) {
		return nil
	}
	n := binary.LittleEndian.Uint64(h[pointerSize:])
	if n > maxSize {
		return nil
	}
	return r.b.code.Constant(binary.LittleEndian.Uint64(h), int(n))
}

// isStringType reports whether an instruction refers to the descriptor of type string.
func (r *reader) isStringType(in disasm.Inst) bool {
	m := marked.FindStringSubmatch(in.Text)
	if m == nil {
		return false
	}
	addr, err := strconv.ParseUint(m[2], 16, 64)
	name, _ := r.b.code.TypeName(addr)
	return err == nil && name == "string"
}

// immediate is a number in an instruction, marked or not.
var immediate = regexp.MustCompile(`\$(?:(0x[0-9a-f]+)\b|@([0-9a-f]+)@)`)

// size returns how many bytes of a constant to compare. Code that takes the address of a string has its length close by:
// the largest number within three instructions is at least that. Other code reads a number.
func (r *reader) size(i int) int {
	op := r.insts[i].Op
	if !strings.HasPrefix(op, "LEA") {
		return accessSize(op)
	}
	n := uint64(0)
	for _, in := range r.near(i) {
		for _, m := range immediate.FindAllStringSubmatch(in.Text, -1) {
			if x, err := strconv.ParseUint(strings.TrimPrefix(m[1]+m[2], "0x"), 16, 64); err == nil && x <= maxSize {
				n = max(n, x)
			}
		}
	}
	if n == 0 {
		return defaultSize
	}
	return int(n)
}

// accessSize returns the size of an instruction's operand in memory, in bytes, by its mnemonic.
func accessSize(op string) int {
	for _, s := range []struct {
		suffix string
		size   int
	}{{"SS", 4}, {"SD", 8}, {"PS", 16}, {"PD", 16}, {"B", 1}, {"W", 2}, {"L", 4}, {"Q", 8}} {
		if strings.HasSuffix(op, s.suffix) && !strings.HasPrefix(op, "V") {
			return s.size
		}
	}
	return defaultSize
}

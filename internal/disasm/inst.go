package disasm

// Syntax is a way to write instructions.
type Syntax string

// The syntaxes. For arm64, Intel and ATT are the same: ARM's own, as GNU tools write
// it.
const (
	Go    Syntax = "go"    // as go tool objdump: MOVQ 0x8(AX), CX
	Intel Syntax = "intel" // as objdump -M intel: mov rcx, qword ptr [rax+0x8]
	ATT   Syntax = "att"   // as objdump: mov 0x8(%rax),%rcx
)

// Inst is an instruction, or a byte or word that is none.
type Inst struct {
	Addr   uint64
	Len    int    // bytes; at least 1
	Text   string // in the syntax asked for; BYTE $0x.. (x86) or WORD $0x.. (arm64) if Bad
	Op     string // the mnemonic of Text, without prefixes such as LOCK and REP
	Flow   Flow
	Target uint64 // of a direct jump, branch or call; 0: there is none, or the address 0
	Bad    bool   // bytes that are no instruction
	Pad    bool   // one of those that fill up the end of a function
}

// End is the address behind the instruction.
func (in *Inst) End() uint64 { return in.Addr + uint64(in.Len) }

// Direct reports whether Target says where the instruction leads to.
func (in *Inst) Direct() bool {
	return in.Flow == Jump || in.Flow == Branch || in.Flow == Call
}

// Flow is where an instruction leads to.
type Flow uint8

// Where instructions lead to.
const (
	Next         Flow = iota // to the one behind it
	Jump                     // to Target
	Branch                   // to Target, or to the one behind it
	Call                     // to Target, and back
	Return                   // to the caller
	Trap                     // to nowhere: INT3, UD2, BRK, UDF
	IndirectJump             // to what a register or the memory says: a jump table, a tail call
	IndirectCall             // likewise, and back
)

var flowNames = [...]string{"next", "jump", "branch", "call", "return", "trap", "indirect jump", "indirect call"}

// String is the flow in words.
func (f Flow) String() string {
	if int(f) < len(flowNames) {
		return flowNames[f]
	}
	return "unknown"
}

package disasm

// Syntax is an assembly syntax.
type Syntax string

// The syntaxes. For arm64, Intel and ATT are the same: ARM's own, as GNU tools write it.
const (
	Go    Syntax = "go"    // as go tool objdump: MOVQ 0x8(AX), CX
	Intel Syntax = "intel" // as objdump -M intel: mov rcx, qword ptr [rax+0x8]
	ATT   Syntax = "att"   // as objdump: mov 0x8(%rax),%rcx
)

// Inst is an instruction, or a byte or word that is not one.
type Inst struct {
	Addr    uint64
	Len     int    // bytes; at least 1
	Text    string // in the requested syntax; if Bad, BYTE $0x.. (x86) or WORD $0x.. (arm64)
	Op      string // the mnemonic of Text, without prefixes such as LOCK and REP
	Flow    Flow
	Target  uint64 // of a direct jump, branch or call; otherwise 0
	Bad     bool   // not a valid instruction
	Padding bool   // fills up the end of the function
}

// End returns the address after the instruction.
func (in *Inst) End() uint64 { return in.Addr + uint64(in.Len) }

// Direct reports whether Target is set.
func (in *Inst) Direct() bool {
	return in.Flow == Jump || in.Flow == Branch || in.Flow == Call
}

// Flow says where execution continues after an instruction.
type Flow uint8

// The flows.
const (
	Next         Flow = iota // at the next instruction
	Jump                     // at Target
	Branch                   // at Target or at the next instruction
	Call                     // at Target, which returns
	Return                   // at the caller
	Trap                     // nowhere: INT3, UD2, BRK, UDF
	IndirectJump             // at an address in a register or in memory: a jump table, a tail call
	IndirectCall             // at an address in a register or in memory, and it returns
)

var flowNames = [...]string{"next", "jump", "branch", "call", "return", "trap", "indirect jump", "indirect call"}

// String returns the flow in words.
func (f Flow) String() string {
	if int(f) < len(flowNames) {
		return flowNames[f]
	}
	return "unknown"
}

package listing

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
)

// program builds amd64 code, instruction by instruction, with the samples of each.
type program struct {
	f     record.AsmFunc
	fixes []fix
	addrs []uint64
}

// fix is a jump whose distance is known only when all instructions are there.
type fix struct{ at, end, to int }

func newProgram(name string, entry uint64) *program {
	return &program{f: record.AsmFunc{Name: name, Area: record.AreaUser, File: "/home/me/src/m/x.go", Line: 10, Entry: entry}}
}

// inst adds an instruction that was found n times, once for each event.
func (p *program) inst(code []byte, n ...int64) *program {
	addr := p.f.Entry + uint64(len(p.f.Code))
	p.addrs = append(p.addrs, addr)
	p.f.Code = append(p.f.Code, code...)
	if slices.ContainsFunc(n, func(x int64) bool { return x > 0 }) {
		p.f.Counts = append(p.f.Counts, record.AsmCount{Addr: addr, N: n})
	}
	return p
}

// inc is INCQ AX, nothing else.
func (p *program) inc(n ...int64) *program { return p.inst([]byte{0x48, 0xff, 0xc0}, n...) }

// incs adds several of them without samples.
func (p *program) incs(k int) *program {
	for range k {
		p.inc()
	}
	return p
}

// long is an instruction of 10 bytes: MOVQ $imm, AX.
func (p *program) long(imm uint64, n ...int64) *program {
	return p.inst(binary.LittleEndian.AppendUint64([]byte{0x48, 0xb8}, imm), n...)
}

func (p *program) ret(n ...int64) *program { return p.inst([]byte{0xc3}, n...) }

// jump adds a jump to the instruction of that number; op 0xeb is JMP, 0x75 JNE.
func (p *program) jump(op byte, to int, n ...int64) *program {
	p.inst([]byte{op, 0}, n...)
	p.fixes = append(p.fixes, fix{len(p.f.Code) - 1, len(p.f.Code), to})
	return p
}

// call adds a call to an address that has a name.
func (p *program) call(addr uint64, name string, n ...int64) *program {
	next := p.f.Entry + uint64(len(p.f.Code)) + 5
	p.inst(binary.LittleEndian.AppendUint32([]byte{0xe8}, uint32(addr-next)), n...)
	p.f.Symbols = append(p.f.Symbols, record.AsmSymbol{Addr: addr, Name: name})
	return p
}

// line says that the instructions from here on are from a line.
func (p *program) line(file string, line int, text string) *program {
	p.f.Lines = append(p.f.Lines, record.AsmLine{Addr: p.f.Entry + uint64(len(p.f.Code)), File: file, Line: line})
	if text != "" {
		p.f.Texts = append(p.f.Texts, record.AsmText{File: file, Line: line, Text: text})
	}
	return p
}

// inlined says that the instructions of those numbers, [from, to), are of an inlined
// function. It comes last.
func (p *program) inlined(name, file string, line, from, to int) *program {
	p.f.Inlines = append(p.f.Inlines, record.AsmInline{Name: name, CallFile: file, CallLine: line, Ranges: [][2]uint64{{p.addrs[from], p.addrs[to]}}})
	return p
}

// done links the jumps and adds up the samples.
func (p *program) done(events int) record.AsmFunc {
	f := p.f
	f.Code = slices.Clone(f.Code)
	for _, x := range p.fixes {
		f.Code[x.at] = byte(int(p.addrs[x.to]-f.Entry) - x.end)
	}
	f.Samples = make([]int64, events)
	for _, c := range f.Counts {
		for e, n := range c.N {
			f.Samples[e] += n
		}
	}
	return f
}

// asmOf is a record of some functions, sampled by a clock at 1 kHz.
func asmOf(funcs ...record.AsmFunc) *record.Asm {
	a := &record.Asm{
		Binary: "m.test", BuildID: "abc", Arch: "amd64", Source: record.AsmPerf, Window: record.AsmMarks, Ops: 1000, Cost: 0.031,
		Rejected: []string{"cycles:ppp: no hardware counters (ENOENT)"}, Funcs: funcs,
		Events: []record.AsmEvent{{Name: "cpu-clock", Asked: 997, Achieved: 1000, Period: 1e6}},
	}
	for len(funcs) > 0 && len(a.Events) < len(funcs[0].Samples) {
		a.Events = append(a.Events, record.AsmEvent{Name: "page-faults"})
	}
	for i := range funcs {
		for e, n := range funcs[i].Samples {
			a.Events[e].Samples += n
			if funcs[i].Area == record.AreaKernel {
				a.Events[e].Kernel += n
			}
		}
	}
	return a
}

// kernelOf is a function without code.
func kernelOf(n ...int64) record.AsmFunc {
	f := record.AsmFunc{Name: "kernel", Area: record.AreaKernel, Samples: n}
	f.Counts = []record.AsmCount{{Addr: 0xffffffff81000000, N: n}}
	return f
}

// loop is a search: a loop with an inlined comparison and a bounds check.
func loop() *record.Asm {
	const file = "/home/me/src/m/find.go"
	p := newProgram("example.com/m.find", 0x401000)
	p.f.File, p.f.Line = file, 10
	p.line(file, 10, "func find(t []rec, k int) int {").inc(0)
	p.line(file, 12, "\tfor lo < hi {").jump(0xeb, 3, 2)
	p.line(file, 13, "\t\tm := (lo + hi) / 2").inc(700)
	p.line(file, 12, "").inc(20).jump(0x75, 8, 3) // 3, 4
	p.line(file, 7, "\treturn a < b").inc(10)     // 5: inlined
	p.line(file, 14, "\t\tif before(t[m], k) {").jump(0x75, 9, 5)
	p.jump(0x75, 2, 1200) // 7
	p.line(file, 20, "\treturn lo").ret(50)
	p.line(file, 14, "").call(0x500000, "runtime.panicBounds") // 9
	p.inst([]byte{0x90}).inst([]byte{0xcc}).inst([]byte{0xcc})
	p.inlined("example.com/m.before", file, 14, 5, 6)
	main := newProgram("example.com/m.BenchmarkFind", 0x402000).inc().call(0x401000, "example.com/m.find", 7).ret()
	return asmOf(p.done(1), main.done(1), kernelOf(13))
}

func mustNew(t testing.TB, a *record.Asm, c Config) *Listing {
	t.Helper()
	l, err := New(a, c)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func textOf(t testing.TB, l *Listing, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := l.Text(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// objectOf is what a program reads.
func objectOf(t testing.TB, l *Listing) object {
	t.Helper()
	data, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	var o object
	if err := json.Unmarshal(data, &o); err != nil {
		t.Fatal(err)
	}
	return o
}

package listing

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/tarebench/tare/internal/binary/disasm"
	"github.com/tarebench/tare/record"
)

// function is a function of the record with its decoded instructions.
type function struct {
	rec    *record.AsmFunc
	insts  []disasm.Inst     // without code: an empty one for each address that was found
	coded  bool              // the instructions were decoded
	names  map[uint64]string // of addresses that the code refers to
	events int
	counts []int64    // of each instruction, one for each event
	at     []location // of each instruction
	split  int64      // samples of the first event at addresses that begin no instruction
}

// location is where an instruction comes from.
type location struct {
	file  string
	line  int   // 0: not known
	chain []int // inlined functions, as elements of the record's Inlines; the outermost first
}

func newFunction(rec *record.AsmFunc, events int) *function {
	return &function{rec: rec, events: events}
}

// disassemble decodes the function's instructions, with their counts and locations. After an error, addresses with
// samples are still listed.
func (f *function) disassemble(arch string, s Syntax) error {
	var err error
	if len(f.rec.Code) > 0 {
		f.nameSymbols()
		symbol := func(a uint64) (string, uint64) { return f.names[a], a }
		f.insts, err = disasm.Func(arch, f.rec.Entry, f.rec.Code, f.starts(), disasm.Syntax(s), symbol)
		f.coded = err == nil
		f.unnameLoops()
	}
	if f.coded {
		f.trim()
	} else {
		f.insts = nil
		for _, c := range f.rec.Counts {
			f.insts = append(f.insts, disasm.Inst{Addr: c.Addr, Len: 1})
		}
	}
	f.counts = make([]int64, len(f.insts)*f.events)
	for _, c := range f.rec.Counts {
		i := f.index(c.Addr)
		if f.insts[i].Addr != c.Addr {
			f.split += c.N[0]
		}
		for e, n := range c.N {
			f.counts[i*f.events+e] += n
		}
	}
	f.locate()
	return err
}

// starts returns addresses at which the compiler placed an instruction. Addresses of samples are not used: a
// profile may contain wrong ones.
func (f *function) starts() []uint64 {
	out := make([]uint64, 0, len(f.rec.Lines))
	for _, l := range f.rec.Lines {
		out = append(out, l.Addr)
	}
	return out
}

// nameSymbols collects the names of addresses, its own among them.
func (f *function) nameSymbols() {
	f.names = make(map[uint64]string, len(f.rec.Symbols)+1)
	f.names[f.rec.Entry] = f.rec.Name
	for _, s := range f.rec.Symbols {
		f.names[s.Addr] = s.Name
	}
}

// unnameLoops has jumps to the first instruction say its address, as those to all others
// do: only calls of the function itself should have its name.
func (f *function) unnameLoops() {
	for i := range f.insts {
		in := &f.insts[i]
		if in.Flow != disasm.Jump && in.Flow != disasm.Branch || in.Target != f.rec.Entry || f.rec.Name == "" {
			continue
		}
		if at := strings.Index(in.Text, f.rec.Name); at >= 0 {
			in.Text = in.Text[:at] + hex(in.Target)
		}
	}
}

// trim cuts off the padding behind the last instruction, unless samples were found
// there.
func (f *function) trim() {
	last := uint64(0)
	if n := len(f.rec.Counts); n > 0 {
		last = f.rec.Counts[n-1].Addr
	}
	n := len(f.insts)
	for n > 1 && f.insts[n-1].Padding && f.insts[n-1].Addr > last {
		n--
	}
	f.insts = f.insts[:n]
}

// index returns the instruction that an address is in, or the nearest before it.
func (f *function) index(addr uint64) int {
	i, ok := slices.BinarySearchFunc(f.insts, addr, func(in disasm.Inst, a uint64) int { return cmp.Compare(in.Addr, a) })
	if !ok {
		i--
	}
	return i
}

// find returns the instruction that begins at an address.
func (f *function) find(addr uint64) (int, bool) {
	i := f.index(addr)
	return i, i >= 0 && f.insts[i].Addr == addr
}

// n returns how often an instruction was found, for each event.
func (f *function) n(i int) []int64 { return f.counts[i*f.events:][:f.events] }

// sampled reports whether any event was found at an instruction.
func (f *function) sampled(i int) bool {
	return slices.ContainsFunc(f.n(i), func(n int64) bool { return n > 0 })
}

// locate gives every instruction its line and its chain of inlined functions.
func (f *function) locate() {
	f.at = make([]location, len(f.insts))
	lines := f.lines()
	for i, l := range lines {
		to := len(f.insts)
		if i+1 < len(lines) {
			to = f.from(lines[i+1].Addr)
		}
		for k := f.from(l.Addr); k < to; k++ {
			f.at[k].file, f.at[k].line = l.File, l.Line
		}
	}
	for n, in := range f.rec.Inlines {
		for _, r := range in.Ranges {
			for k := f.from(r[0]); k < f.from(r[1]); k++ {
				if c := f.at[k].chain; len(c) == 0 || c[len(c)-1] != n {
					f.at[k].chain = append(c, n)
				}
			}
		}
	}
}

// from returns the first instruction that begins at an address or behind it.
func (f *function) from(addr uint64) int {
	return sort.Search(len(f.insts), func(i int) bool { return f.insts[i].Addr >= addr })
}

// lines returns the line table in the order of addresses, with every element's file.
func (f *function) lines() []record.AsmLine {
	out := slices.Clone(f.rec.Lines)
	file := f.rec.File
	for i := range out {
		if out[i].File == "" {
			out[i].File = file
		}
		file = out[i].File
	}
	slices.SortStableFunc(out, func(a, b record.AsmLine) int { return cmp.Compare(a.Addr, b.Addr) })
	return out
}

package disasm

import (
	"slices"
	"testing"
)

// BenchmarkText disassembles all of the go command's code, or as much as is needed for
// a figure.
func BenchmarkText(b *testing.B) {
	p := open(b, goCommand(b))
	for _, syntax := range []Syntax{Go, Intel, ATT} {
		b.Run("syntax="+string(syntax), func(b *testing.B) { p.benchmark(b, syntax) })
	}
}

func (p *program) benchmark(b *testing.B, syntax Syntax) {
	bytes, insts := 0, 0
	for b.Loop() {
		bytes, insts = 0, 0
		for _, f := range p.funcs {
			all, err := Func(p.arch, f.addr, f.code, nil, syntax, nil)
			if err != nil {
				b.Fatal(err)
			}
			bytes += len(f.code)
			insts += len(all)
		}
	}
	b.SetBytes(int64(bytes))
	b.ReportMetric(float64(insts)*float64(b.N)/b.Elapsed().Seconds(), "insts/s")
}

// BenchmarkFunc is one function of usual size: that of a listing.
func BenchmarkFunc(b *testing.B) {
	p := open(b, goCommand(b))
	i := slices.IndexFunc(p.funcs, func(f function) bool { return f.name == "runtime.mapassign_faststr" || f.name == "fmt.(*pp).doPrintf" })
	if i < 0 {
		b.Skip("the function is not in the go command")
	}
	f := p.funcs[i]
	for b.Loop() {
		if _, err := Func(p.arch, f.addr, f.code, nil, Go, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(f.code)), "code-B")
}

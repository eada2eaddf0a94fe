package asm

import (
	"os/exec"
	"testing"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/record"
)

// BenchmarkBuild makes a record of samples in 20 functions of the go command, some 15 MB:
// what there is to wait for beyond the sampling.
func BenchmarkBuild(b *testing.B) {
	path, err := exec.LookPath("go")
	if err != nil {
		b.Skip(err)
	}
	f, err := objfile.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	table, err := f.Functions()
	if err != nil {
		b.Fatal(err)
	}
	t := newTally(make([]record.AsmEvent, 1))
	i := 0
	for fn := range table.All() {
		if i++; i%(table.Len()/20) == 0 {
			for at := fn.Entry; at < fn.End; at += 7 {
				t.add(spot{kind: linked, path: path, at: at}, 0, 3)
			}
		}
	}
	for b.Loop() {
		a := &record.Asm{}
		if _, err := (&builder{tally: t, binary: path, kernel: &kernel{}}).build(a); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkKernel reads the symbols of the kernel.
func BenchmarkKernel(b *testing.B) {
	for b.Loop() {
		readKernel()
	}
}

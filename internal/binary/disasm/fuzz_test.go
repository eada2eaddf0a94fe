package disasm

import (
	"encoding/binary"
	"testing"
)

// Whatever the bytes and whatever is said to be known of them: the lengths add up,
// addresses ascend, targets are those of direct jumps only, and it ends.
func FuzzFunc(f *testing.F) {
	f.Add(uint8(1), uint64(base), []byte{0xc5, 0xf8, 0x77, 0xe9, 0x0c, 0xff, 0xff, 0xff}, []byte{3})
	f.Add(uint8(1), uint64(base), []byte{0x66, 0x48, 0x0f, 0x38, 0xf6, 0xde, 0xc3}, []byte{1, 6})
	f.Add(uint8(1), ^uint64(0)-2, []byte{0xeb, 0xfc, 0xeb, 0xfb, 0x74, 0x01, 0xf0}, []byte{})
	f.Add(uint8(0), uint64(0), []byte{0xe8, 0, 0, 0, 0, 0xcc}, []byte{5})
	f.Add(uint8(2), uint64(base), binary.LittleEndian.AppendUint32(nil, 0xc8fbfca4), []byte{0, 2})
	f.Add(uint8(2), uint64(base), []byte{0, 0, 0}, []byte{})
	f.Fuzz(func(t *testing.T, arch uint8, addr uint64, code, offsets []byte) {
		known := make([]uint64, len(offsets))
		for i, o := range offsets {
			known[i] = addr + uint64(o)
		}
		symbol := func(addr uint64) (string, uint64) { return "s", addr &^ 0xf }
		name := Archs()[int(arch)%len(Archs())]
		for _, syntax := range []Syntax{Go, Intel, ATT} {
			insts, err := Func(name, addr, code, known, syntax, symbol)
			if err != nil {
				t.Fatal(err)
			}
			checkLengths(t, addr, code, insts)
			for _, in := range insts {
				if in.Target != 0 && !in.Direct() {
					t.Errorf("%s: %+v: a target, but it is no direct jump", name, in)
				}
			}
		}
	})
}

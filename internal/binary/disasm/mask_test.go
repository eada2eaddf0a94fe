package disasm

import (
	"fmt"
	"slices"
	"testing"
)

// TestMask: distances to places outside of the function are zero and the places are returned. All other bytes stay.
func TestMask(t *testing.T) {
	for _, c := range []struct {
		name, arch, code, want string
		refs                   []uint64
	}{
		{"a call", "amd64", "e8 fb 0f 00 00 c3", "e8 00 00 00 00 c3", []uint64{base + 0x1000}},
		{"a call of itself", "amd64", "e8 fb ff ff ff c3", "e8 fb ff ff ff c3", nil},
		{"a jump within", "amd64", "74 01 90 c3", "74 01 90 c3", nil},
		{"a tail call", "amd64", "e9 fb 0f 00 00", "e9 00 00 00 00", []uint64{base + 0x1000}},
		{"a jump behind", "amd64", "eb 7f", "eb 00", []uint64{base + 0x81}},
		{"LEAQ of data", "amd64", "48 8d 05 f9 1f 00 00 c3", "48 8d 05 00 00 00 00 c3", []uint64{base + 0x2000}},
		{"CMPL of data with a number", "amd64", "83 3d f9 1f 00 00 07 c3", "83 3d 00 00 00 00 07 c3", []uint64{base + 0x2000}},
		{"VMOVDQU of data", "amd64", "c5 fe 6f 05 f8 1f 00 00 c3", "c5 fe 6f 05 00 00 00 00 c3", []uint64{base + 0x2000}},
		{"a number", "amd64", "48 c7 c0 f9 1f 00 00 c3", "48 c7 c0 f9 1f 00 00 c3", nil},
		{"memory at a register", "amd64", "48 8b 40 10 c3", "48 8b 40 10 c3", nil},
		{"no instruction", "amd64", "06 e8 fa 0f 00 00", "06 e8 00 00 00 00", []uint64{base + 0x1000}},
		{"BL", "arm64", "00 04 00 94 c0 03 5f d6", "00 00 00 94 c0 03 5f d6", []uint64{base + 0x1000}},
		{"BL backwards", "arm64", "00 fc ff 97 c0 03 5f d6", "00 00 00 94 c0 03 5f d6", []uint64{base - 0x1000}},
		{"B within", "arm64", "01 00 00 14 c0 03 5f d6", "01 00 00 14 c0 03 5f d6", nil},
		{"ADRP and ADD", "arm64", "1b 00 00 b0 60 43 00 91", "1b 00 00 90 60 03 00 91", []uint64{base&^0xfff + 0x1000}},
		{"ADRP and a load", "arm64", "1b 00 00 d0 60 0b 40 f9", "1b 00 00 90 60 03 40 f9", []uint64{base&^0xfff + 0x2000}},
		{"ADRP and ADD of another register", "arm64", "1b 00 00 b0 40 40 00 91", "1b 00 00 90 40 40 00 91", []uint64{base&^0xfff + 0x1000}},
	} {
		masked, refs, err := Mask(c.arch, base, bytesOf(t, c.code))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("% x", masked); got != c.want || !slices.Equal(refs, c.refs) {
			t.Errorf("%s: %s, %#x, want %s, %#x", c.name, got, refs, c.want, c.refs)
		}
	}
	if _, _, err := Mask("riscv64", base, nil); err == nil {
		t.Error("an arch that is not known: no error")
	}
}

// FuzzMask: any bytes are masked without changing their number, and the same at any address if nothing refers to a place
// outside.
func FuzzMask(f *testing.F) {
	f.Add([]byte{0xe8, 0, 0, 0, 0, 0xc3})
	f.Add([]byte{0x1b, 0, 0, 0xb0, 0x60, 0x43, 0, 0x91})
	f.Fuzz(func(t *testing.T, code []byte) {
		for _, arch := range Archs() {
			before := slices.Clone(code)
			masked, refs, err := Mask(arch, base, code)
			if err != nil || len(masked) != len(code) || !slices.Equal(code, before) {
				t.Fatalf("%s: %d bytes of %d, %v", arch, len(masked), len(code), err)
			}
			if len(refs) == 0 && !slices.Equal(masked, code) {
				t.Errorf("%s: masked without a place: % x, % x", arch, code, masked)
			}
		}
	})
}

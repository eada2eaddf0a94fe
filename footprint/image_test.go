package footprint

import (
	"os"
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

var (
	initialised = [3]int{1, 2, 3}
	zeroed      [1 << 16]byte
)

// TestImage: code, constants and variables of the program lie in it, and what was
// allocated does not.
func TestImage(t *testing.T) {
	e := image()
	if e == nil {
		t.Skip("not known here")
	}
	text := "a constant"
	for name, addr := range map[string]uintptr{
		"code":              reflect.ValueOf(TestImage).Pointer(),
		"a constant":        uintptr(unsafe.Pointer(unsafe.StringData(text))),
		"a variable":        uintptr(unsafe.Pointer(&initialised)),
		"a zero variable":   uintptr(unsafe.Pointer(&zeroed[0])),
		"the end of it":     uintptr(unsafe.Pointer(&zeroed[len(zeroed)-1])),
		"a type":            (*[2]uintptr)(unsafe.Pointer(ptr(any(ring{}))))[0],
		"a function object": **(**uintptr)(unsafe.Pointer(ptr(TestImage))),
	} {
		if !e.contain(addr) {
			t.Errorf("%s, at %#x, is not in %#x", name, addr, e)
		}
	}
	for range 100 {
		if p := uintptr(unsafe.Pointer(new(ring))); e.contain(p) {
			t.Errorf("the heap, at %#x, is in %#x", p, e)
		}
	}
}

// TestParseImage reads the headers of one small program, built for several
// systems; the addresses are those that debug/elf, debug/macho and debug/pe find,
// moved to where the program is said to lie.
func TestParseImage(t *testing.T) {
	const at = 0x5000000
	for _, c := range []struct {
		file string
		want extents
	}{
		{"linux-386", extents{{at, at + 0x7b141}, {at + 0x7c000, at + 0x106ea4}, {at + 0x107000, at + 0x12f600}}},
		{"linux-s390x", extents{{at, at + 0x86c12}, {at + 0x90000, at + 0x122a28}, {at + 0x130000, at + 0x17b980}}},
		{"darwin-arm64", extents{{at, at + 0xf4000}, {at + 0xf4000, at + 0x109e40}, {at + 0x10c000, at + 0x13d3a8}}},
		{"windows-amd64", extents{{at, at + 0x207000}}},
	} {
		head, err := os.ReadFile("testdata/head/" + c.file)
		if err != nil {
			t.Fatal(err)
		}
		if got := parseImage(head, at); !slices.Equal(got, c.want) {
			t.Errorf("%s: %#x, want %#x", c.file, got, c.want)
		}
	}
}

func FuzzParseImage(f *testing.F) {
	files, err := os.ReadDir("testdata/head")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		head, err := os.ReadFile("testdata/head/" + file.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(head)
	}
	f.Fuzz(func(t *testing.T, head []byte) {
		for _, e := range parseImage(head, 1<<20) {
			_ = e // anything but a panic, or a search without end
		}
	})
}

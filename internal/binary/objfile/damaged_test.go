package objfile

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// checkDamaged: whatever is wrong in a file, reading it ends, does not panic and
// takes no more memory than its size makes likely.
func checkDamaged(t *testing.T, path string) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	weak := weakSpots(t, path, good)
	bad := filepath.Join(t.TempDir(), "bad")
	for range 10 {
		data := slices.Clone(good)
		for range 1 + rnd.IntN(40) {
			at := weak[rnd.IntN(len(weak))]
			data[at[0]+rnd.IntN(at[1]-at[0])] = byte(rnd.Uint32() >> rnd.IntN(8))
		}
		if rnd.IntN(8) == 0 {
			data = data[:rnd.IntN(len(data))]
		}
		if err := os.WriteFile(bad, data, 0o666); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		readAll(bad)
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 500 {
			t.Errorf("%d MiB for a file of %d", took, len(data)>>20)
		}
	}
}

// weakSpots are parts of a file where damage matters: its headers, and where tables
// and sections begin.
func weakSpots(t *testing.T, path string, data []byte) (spots [][2]int) {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	spots = append(spots, [2]int{0, 4096}, [2]int{0, 64}, [2]int{len(data) - 4096, len(data)})
	table, err := f.pclntab()
	if err != nil {
		t.Fatal(err)
	}
	begin := bytes.Index(data, table.data[:64])
	spots = append(spots, [2]int{begin, begin + 72}, [2]int{begin, begin + len(table.data)})
	if module, ok := f.section(".go.module"); ok {
		content, err := module.all()
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.Index(data, content)
		spots = append(spots, [2]int{at, at + len(content)})
	}
	funcs := begin + len(table.data) - len(table.funcs)
	return append(spots, [2]int{funcs, funcs + 8*table.count}, [2]int{funcs + 8*table.count, begin + len(table.data)})
}

// readAll reads all that a file tells, of every 50th function only.
func readAll(path string) {
	f, err := Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	_ = f.BuildID()
	_, _ = f.Modules()
	_ = f.Bias(0x1000, 0)
	if code, err := f.Code(); err == nil {
		_, _ = code.Callee(0x1000)
	}
	fs, err := f.Functions()
	if err != nil {
		return
	}
	for i, fn := range fs.list {
		if i%50 == 0 {
			_, _ = f.Text(fn)
			_, _ = f.Source(fn)
			_, _ = f.debugSource(fn)
		}
	}
}

// FuzzPclntab: no table of functions makes it panic or loop, and what it finds makes
// sense.
func FuzzPclntab(f *testing.F) {
	f.Add(tinyPclntab())
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parsePclntab(data)
		if err != nil {
			return
		}
		p.text = 0x1000
		p.inl = func(off, n uint64) []byte {
			if off > uint64(len(data)) || n > uint64(len(data))-off {
				return nil
			}
			return data[off : off+n]
		}
		last := uint64(0)
		for _, fn := range p.functions() {
			if fn.Entry < last || fn.End <= fn.Entry {
				t.Errorf("%+v behind %#x", fn, last)
			}
			last = fn.End
			h, ok := p.header(fn.pcln - 1)
			if !ok {
				t.Fatalf("%+v has no header", fn)
			}
			lines := h.lines()
			if !slices.IsSortedFunc(lines, func(a, b Line) int { return int(int64(a.Addr - b.Addr)) }) {
				t.Errorf("%v is not sorted", lines)
			}
			for _, in := range h.inlines() {
				if in.Name == "" || len(in.Ranges) == 0 {
					t.Errorf("%+v", in)
				}
			}
		}
	})
}

// tinyPclntab is a table of two functions, the second of which has another inlined.
func tinyPclntab() []byte {
	le := func(list ...uint32) (b []byte) {
		for _, v := range list {
			b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
		return b
	}
	names := []byte("\x00a.f\x00a.g\x00a.h\x00")
	cus := le(0, 4)
	files := []byte("a.go\x00b.go\x00")
	pcs := []byte{
		0,
		2, 16, 0, // at 1: 0 for 16 bytes
		4, 8, 2, 8, 0, // at 4: 1, then 2
		2, 8, 1, 8, 0, // at 9: 0, then -1
	}
	header := func(entry, name, inl uint32) []byte {
		return append(le(entry, name, 0, 0, 1, 1, 4, 3, 0, 7, 0x04000000, 0, 0, inl), le(^uint32(0), ^uint32(0), ^uint32(0), 0)...)
	}
	f, g := header(0, 1, 0), header(16, 5, 9)
	const table = 2*8 + 4
	funcs := slices.Concat(le(0, table, 16, table+uint32(len(f)), 32), f, g)
	const head = 8 + 8*4
	place := uint32(head)
	words := []uint32{2, 2, 0}
	for _, part := range [][]byte{names, cus, files, pcs} {
		words = append(words, place)
		place += uint32(len(part))
	}
	words = append(words, place)
	return slices.Concat([]byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 4}, le(words...), names, cus, files, pcs, funcs)
}

// TestTinyPclntab: the seed of the fuzzer is a good table, read as it was made.
func TestTinyPclntab(t *testing.T) {
	p, err := parsePclntab(tinyPclntab())
	if err != nil {
		t.Fatal(err)
	}
	p.text = 0x1000
	tree := []byte{0, 0, 0, 0, 9, 0, 0, 0, 12, 0, 0, 0, 3, 0, 0, 0} // a.h, called where the instruction at 12 is
	p.inl = func(off, n uint64) []byte { return tree[off:][:n] }
	fs := p.functions()
	if len(fs) != 2 || fs[1].Name != "a.g" || fs[1].Entry != 0x1010 || fs[1].End != 0x1020 || fs[1].File != "a.go" || fs[1].Line != 7 {
		t.Fatalf("%+v", fs)
	}
	h, _ := p.header(1)
	lines, inlines := h.lines(), h.inlines()
	if len(lines) != 2 || lines[0] != (Line{0x1010, "a.go", 1}) || lines[1] != (Line{0x1018, "a.go", 2}) {
		t.Errorf("%+v", lines)
	}
	if len(inlines) != 1 || inlines[0].Name != "a.h" || inlines[0].CallFile != "a.go" || inlines[0].CallLine != 2 || inlines[0].Ranges[0] != [2]uint64{0x1010, 0x1018} {
		t.Errorf("%+v", inlines)
	}
}

package instrument

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// damaged: whatever the file holds, it is refused or read as something valid.
func (p *instrumented) damaged(t *testing.T) {
	a, err := p.w.NewArena(ArenaConfig{Size: MinSize, PathCalls: 10, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	runIn(t, p, a, "shapes")
	good, err := os.ReadFile(a.Path)
	if err != nil {
		t.Fatal(err)
	}
	w := p.w
	if _, err := decode(good, w); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   int
		put  uint64
		want string
	}{
		{hdrMagic, 1, "not the arena"}, {hdrLayout, 3, "layout 3, want 2"}, {hdrSize, 1, "bytes of 1"},
		{hdrFuncs, 1, "1 functions, but the build has"}, {hdrTaken, 0, "no program with probes has started"}, {hdrPath, 8, "path does not fit"},
		{hdrSteps, 1 << 60, "path does not fit"}, {hdrOutside, math.Float64bits(math.NaN()), "a probe takes NaN"},
		{hdrInside, math.Float64bits(-1), "a probe takes -1"}, {hdrTicks1, 0, "before its clock was calibrated"},
		{hdrStates, 7, "an address outside of the file"}, {hdrStates, 1 << 40, "an address outside of the file"},
		{hdrBase, 0, "an address outside of the file"},
	} {
		b := append([]byte(nil), good...)
		binary.NativeEndian.PutUint64(b[c.at:], c.put)
		if _, err := decode(b, w); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d at %d: %v, want %q", c.put, c.at, err, c.want)
		}
	}
	if _, err := decode(good[:100], w); err == nil {
		t.Error("100 bytes are enough")
	}
	b := append([]byte(nil), good...)
	binary.NativeEndian.PutUint64(b[hdrTaken:], 0)
	if _, err := decode(b, w); !errors.Is(err, ErrNotRun) {
		t.Errorf("%v is no ErrNotRun", err)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	used := int(binary.NativeEndian.Uint64(good[hdrUsed:]))
	for range 300 {
		b := append([]byte(nil), good...)
		for range 1 + r.IntN(4) {
			at := r.IntN(used/8) * 8
			v := []uint64{0, 1, math.MaxUint64, r.Uint64(), binary.NativeEndian.Uint64(b[r.IntN(used/8)*8:])}[r.IntN(5)]
			binary.NativeEndian.PutUint64(b[at:], v)
		}
		if tr, err := decode(b, w); err == nil && tr == nil {
			t.Fatal("neither a trace nor an error")
		}
	}
}

// FuzzDecode reads any bytes as an arena.
func FuzzDecode(f *testing.F) {
	w := &Build{Funcs: make([]Func, 3)}
	head := make([]byte, 4096)
	for at, v := range map[int]uint64{hdrMagic: magic, hdrLayout: version, hdrSize: 4096, hdrFuncs: 3, hdrTaken: 1, hdrPath: pathAt,
		hdrTicks1: 100, hdrNanos1: 50, hdrStates: 1024, hdrBase: 1 << 40, hdrOver: pathAt, 1024 + stateRoot + callKids: 1<<40 + 2048, 2048 + callID: 1, 2048 + callCalls: 5} {
		binary.NativeEndian.PutUint64(head[at:], v)
	}
	if tr, err := decode(head, w); err != nil || tr.Calls != 5 || len(tr.Tree) != 1 {
		f.Fatalf("%+v, %v", tr, err)
	}
	f.Add(head[:hdrBytes], head[hdrBytes:])
	f.Fuzz(func(t *testing.T, header, rest []byte) {
		b := append(append([]byte(nil), header...), rest...)
		if len(b) >= hdrBytes {
			binary.NativeEndian.PutUint64(b[hdrMagic:], magic)
			binary.NativeEndian.PutUint64(b[hdrSize:], uint64(len(b)))
		}
		if tr, err := decode(b, w); err == nil && tr == nil {
			t.Fatal("neither a trace nor an error")
		}
	})
}

// FuzzPattern: patterns of any text are refused or match without a panic.
func FuzzPattern(f *testing.F) {
	for _, s := range []string{"p.F", "a/b.(*T[...]).M", "/x+/", "./...", "[.", "(*", "a.]", "*", "b.T[x.y/z].M"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		p, err := parsePattern(text)
		if err != nil {
			return
		}
		p.matches(&Func{Name: "p." + name, short: name})
		p.inPackage(name, "p")
		if q, err := parsePattern("p." + text); err == nil && q.kind == byName && q.pkg == "p" && !strings.ContainsAny(text, "*") && !q.matches(&Func{short: text}) {
			t.Errorf("%q does not match itself", text)
		}
	})
}

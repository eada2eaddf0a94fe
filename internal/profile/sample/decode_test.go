package sample

import (
	"encoding/binary"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// written makes what a process would have written: numbers, and texts with their length.
func written(parts ...any) (b []byte) {
	for _, p := range parts {
		switch x := p.(type) {
		case int:
			b = binary.AppendUvarint(b, uint64(x))
		case string:
			b = append(binary.AppendUvarint(b, uint64(len(x))), x...)
		}
	}
	return b
}

// twoLooks are of three goroutines: 1 moves from stack 1 to 3, 2 stays, and 3, of which it turns
// out later that it was in stack 1, ends.
var twoLooks = written(
	3, 2, "", "sleep", 4, "/bin/p",
	5, 1, 0, 2, 0, 0x1000, 0, 0x2000, 5, 2, stackCut, 1, 0, 0x3000,
	1, 1000, 0, 0, 0, 0, 0, 3, 1, inRunning*2+1, 1, 1, 1, (inWaiting+1)*2+1, 2, 2, 2, inSyscall*2+1, 3, 9, 0,
	6, 9, 1, 5, 3, stackLogical|stackMoved, 1, 2,
	1, 100, 7, 2, 3, 4, 5, 2, 1, inRunnable*2, 3, 3, inGone, 0,
)

func TestDecode(t *testing.T) {
	s := &fileContent{start: 5000}
	if err := s.decode(twoLooks); err != nil {
		t.Fatal(err)
	}
	want := &fileContent{
		start: 5000, path: "/bin/p", names: []string{"", "sleep"},
		stacks: []stack{{pcs: []uint64{0x1000, 0x2000}}, {pcs: []uint64{0x3000}, cut: true}, {pcs: []uint64{0x2000}, logical: true, moved: true}},
		samples: []wallSample{
			{at: 6000, goroutines: 3, changes: []change{{0, inRunning, 1, 0}, {1, inWaiting + 1, 2, 1}, {3, inSyscall, 3, 0}}},
			{at: 6100, took: 7, skipped: 2, spared: 3, over: 4, late: 5, goroutines: 2, changes: []change{{0, inRunnable, 1, 2}, {slot: 3, state: inGone}}},
		},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v\nwant %+v", s, want)
	}
}

// TestDecodeUnknown: of a stack that was never found out there are no addresses.
func TestDecodeUnknown(t *testing.T) {
	s := &fileContent{}
	b := written(5, 1, 0, 1, 0, 0x1000, 1, 1, 0, 0, 0, 0, 0, 3, 1, inRunning*2+1, 1, 7, 1, inRunning*2+1, 2, 1, 1, inRunning*2+1, 3, 8, 0)
	if err := s.decode(b); err != nil || len(s.stacks) != 2 || len(s.stacks[1].pcs) != 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	if c := s.samples[0].changes; c[0].stack != 1 || c[1].stack != 0 || c[2].stack != 1 {
		t.Errorf("%+v", c)
	}
	res, err := buildResult(s, func(i int) []frame { return (&symbols{}).frames(stack{}) }, record.Sampled{Mode: record.SampledWall}, nil)
	if err != nil || res.Profile.Sample[0].Location[0].Line[0].Function.Name != "(unknown)" {
		t.Errorf("%v, %v", res, err)
	}
}

// TestDecodePCs: addresses beyond those that have numbers are written as they are.
func TestDecodePCs(t *testing.T) {
	parts := []any{5, 1, 0, maxDepth}
	for i := range maxDepth {
		parts = append(parts, 0, 1<<40+i)
	}
	all := slices.Repeat(parts, maxPCs/maxDepth+1)
	s := &fileContent{}
	if err := s.decode(written(append(all, 5, 2, 0, 2, 1, maxPCs)...)); err != nil {
		t.Fatal(err)
	}
	last := s.stacks[len(s.stacks)-1].pcs
	if want := uint64(1<<40 + (maxPCs-1)%maxDepth); last[0] != 1<<40 || last[1] != want {
		t.Errorf("%#x, want %#x", last, want)
	}
	if err := new(fileContent).decode(written(append(all, 5, 2, 0, 1, maxPCs+1)...)); err == nil {
		t.Error("no error for a number that there is not")
	}
}

// TestDecodeDamaged: data that is cut off anywhere is an error, and the complete part before it is kept.
func TestDecodeDamaged(t *testing.T) {
	boundaries := map[int]bool{}
	for i := range twoLooks {
		s := &fileContent{}
		if err := s.decode(twoLooks[:i]); err == nil {
			boundaries[i] = true
		}
	}
	if len(boundaries) != 8 { // nothing, names, path, two stacks, a look, the same, another stack
		t.Errorf("no error for %v", boundaries)
	}
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{written(10), "unknown kind of record 10"},
		{written(1, 1, 1, 1, 1, 1, 1, 1, 1, 2*(inWaiting+maxNames)+2), "want at most"},
		{written(5, 1, 0, maxDepth+1), "want at most"},
		{written(5, 1, 0, 1, 2), "number 2: want at most 0"},
		{written(1, 1, 1, 1, 1, 1, 1, 1, maxSlots+1), "want at most"},
		{written(3, 1, 100), "number 100: want at most"},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, errEnds.Error()},
	} {
		if err := new(fileContent).decode(c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%x: %v, want %q", c.b, err, c.want)
		}
	}
}

func TestRoom(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r, err := newSampleFile(minCapacity)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.read(); err == nil || !strings.Contains(err.Error(), errNoSamples.Error()) {
		t.Errorf("%v", err)
	}
	if got := r.env("cpu", 10_000_000); got != "TARE_SAMPLE=cpu 10309278 "+r.Path { // 97 times a second, which no program's period is
		t.Errorf("%q", got)
	}
	if got := r.env("wall", 10_000_000); got != "TARE_SAMPLE=wall 10000000 "+r.Path {
		t.Error(got)
	}
	text, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) != minCapacity { // internal/scratch tests that all of them are there
		t.Errorf("%d bytes for %d", len(text), minCapacity)
	}
	word := func(i int, x uint64) { binary.NativeEndian.PutUint64(text[i*8:], x) }
	word(wordClaimed, 1)
	word(wordAnchor, 0x1234)
	word(wordLength, uint64(len(text)))
	if _, err := parseSampleFile(text); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("%v", err)
	}
	copy(text[headerSize:], twoLooks)
	word(wordLength, uint64(len(twoLooks)))
	s, err := parseSampleFile(text)
	if err != nil || len(s.samples) != 2 || s.anchor != 0x1234 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := parseSampleFile([]byte("short")); err == nil {
		t.Error("no error without a header")
	}
	if err := r.Remove(); err != nil {
		t.Error(err)
	}
}

// FuzzDecode: whatever is in the file, there is an error or a result that adds up.
func FuzzDecode(f *testing.F) {
	f.Add(twoLooks)
	f.Add(written(7, 100, 5, 5, 1, 2, 1, 0, 0x1000, 2, 10, 2, 1, 8, 3, 9, 105))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := &fileContent{}
		err := s.decode(b)
		for _, l := range s.samples {
			for _, c := range l.changes {
				if c.state != inGone && c.stack >= len(s.stacks) {
					t.Fatalf("stack %d of %d", c.stack, len(s.stacks))
				}
			}
		}
		if err != nil {
			return
		}
		res, err := buildResult(s, func(i int) []frame { return []frame{{name: "main.f"}} }, record.Sampled{Mode: record.SampledWall}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var n int64
		for _, x := range res.Profile.Sample {
			n += x.Value[0]
			if x.Value[1] < 0 && float64(res.How.Wall) < math.MaxInt64/2 {
				t.Errorf("%d ns", x.Value[1])
			}
		}
	})
}

func TestTrim(t *testing.T) {
	stack := func(names string) (out []frame) {
		for _, n := range strings.Fields(names) {
			out = append(out, frame{name: n})
		}
		return out
	}
	for _, c := range []struct {
		state uint64
		in    string
		want  string
	}{
		{inWaiting, "runtime.gopark time.Sleep main.f runtime.main runtime.goexit", "time.Sleep main.f runtime.main"},
		{inWaiting, "runtime.gopark runtime.semacquire1 internal/sync.runtime_SemacquireMutex internal/sync.(*Mutex).lockSlow main.f", "internal/sync.(*Mutex).lockSlow main.f"},
		{inWaiting, "runtime.gopark runtime.bgsweep runtime.goexit", "runtime.gopark runtime.bgsweep"},
		{inSyscall, "internal/runtime/syscall.Syscall6 syscall.RawSyscall6 syscall.Syscall main.f", "syscall.RawSyscall6 syscall.Syscall main.f"},
		{inRunnable, "runtime.gopark runtime.chanrecv main.f", "main.f"},
		{inRunnable, "runtime.asyncPreempt2 runtime.asyncPreempt runtime.mallocgc main.f", "runtime.mallocgc main.f"},
		{inRunning, "runtime.asyncPreempt2 runtime.asyncPreempt main.spin main.f", "main.spin main.f"},
		{inRunning, "runtime.mallocgc main.f", "runtime.mallocgc main.f"},
		{inRunning, "main.f testing.tRunner testing.(*T).Run.gowrap1 runtime.goexit", "main.f testing.tRunner"},
		{inWaiting, "runtime.gopark main.f.gowrap12", "main.f.gowrap12"},
	} {
		var got []string
		for _, f := range trim(stack(c.in), c.state) {
			got = append(got, f.name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
}

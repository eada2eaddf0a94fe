package sample

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/prof"
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

// twoLooks are of three goroutines: 1 moves from stack 1 to 2, 2 stays, and 3 ends.
var twoLooks = written(
	3, 2, "", "sleep", 4, "/bin/p",
	1, 1000, 0, 0, 3, 1, inRunning, 1, 0, 0, 2, 0x1000, 0x2000, 1, inWaiting+1, 2, 0, stackCut, 1, 0x3000, 2, inSyscall, 3, 1, 0,
	1, 100, 7, 2, 2, 1, inRunnable, 1, 0, stackLogical, 1, 0x4000, 3, inGone, 0,
)

func TestDecode(t *testing.T) {
	s := &seen{start: 5000}
	if err := s.decode(twoLooks); err != nil {
		t.Fatal(err)
	}
	want := &seen{
		start: 5000, path: "/bin/p", names: []string{"", "sleep"},
		stacks: []stack{{pcs: []uint64{0x1000, 0x2000}}, {pcs: []uint64{0x3000}, cut: true}, {pcs: []uint64{0x4000}, logical: true}},
		looks: []look{
			{at: 6000, goroutines: 3, changes: []change{{0, inRunning, 1, 0}, {1, inWaiting + 1, 2, 1}, {3, inSyscall, 3, 0}}},
			{at: 6100, took: 7, skipped: 2, goroutines: 2, changes: []change{{0, inRunnable, 1, 2}, {slot: 3, state: inGone}}},
		},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v\nwant %+v", s, want)
	}
}

// TestDecodeDamaged: what is cut off anywhere is told, and what is whole before is kept.
func TestDecodeDamaged(t *testing.T) {
	boundaries := map[int]bool{}
	for i := range twoLooks {
		s := &seen{}
		if err := s.decode(twoLooks[:i]); err == nil {
			boundaries[i] = true
		}
	}
	if len(boundaries) != 4 { // nothing, names, path, a look
		t.Errorf("no error for %v", boundaries)
	}
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{written(9), "no kind of record is 9"},
		{written(1, 1, 1, 1, 1, 1, inRunning, 1, 5), "5, where 0 is the most"},
		{written(1, 1, 1, 1, 1, 1, inRunning, 1, 0, 0, maxDepth+1), "is the most"},
		{written(1, 1, 1, 1, 1, maxSlots+1), "is the most"},
		{written(3, 1, 100), "100, where"},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, errEnds.Error()},
	} {
		if err := new(seen).decode(c.b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%x: %v, want %q", c.b, err, c.want)
		}
	}
}

// TestFollow: time goes by halves to what was found before and after, to the windows
// only, and twice only to what stayed.
func TestFollow(t *testing.T) {
	s := &seen{start: 5000}
	if err := s.decode(twoLooks); err != nil {
		t.Fatal(err)
	}
	one, two, three, moved := key{0, inRunning}, key{1, inWaiting + 1}, key{0, inSyscall}, key{2, inRunnable}
	for _, c := range []struct {
		name    string
		windows []prof.Window
		alike   bool
		want    map[key]found
		looks   int64
	}{
		{"all", nil, false, map[key]found{one: {1, 50, 0}, two: {2, 100, 100}, three: {1, 50, 0}, moved: {1, 50, 0}}, 2},
		{"alike", nil, true, map[key]found{one: {1, 50, 0}, two: {2, 100, 100}, three: {1, 50, 0}, moved: {1, 50, 100}}, 2},
		{"window", []prof.Window{{Begin: 6040, End: 6060}, {Begin: 6090, End: 7000}}, false,
			map[key]found{one: {0, 15, 0}, two: {1, 30, 30}, three: {0, 15, 0}, moved: {1, 15, 0}}, 1},
		{"elsewhere", []prof.Window{{Begin: 1, End: 2}}, true, map[key]found{}, 0},
	} {
		tl := &tally{windows: c.windows, found: map[key]*found{}, of: func(key) int64 { return 1 }, alike: func(a, b key) bool { return c.alike }}
		tl.follow(s)
		got := map[key]found{}
		for k, f := range tl.found {
			got[k] = *f
		}
		if !reflect.DeepEqual(got, c.want) || tl.looks != c.looks {
			t.Errorf("%s: %+v, %d looks; want %+v, %d", c.name, got, tl.looks, c.want, c.looks)
		}
	}
}

// TestHits: samples of the CPU profiler, its rate, and what it has lost.
func TestHits(t *testing.T) {
	s := &seen{start: 100}
	if err := s.decode(written(2, 0, 100, 0, 2, 0, 2, 10, 2, 0, 2, 1, 0x1000, 2, 20, 1, 2, 2, 30, 0, 0, 2, 1, 7)); err != nil {
		t.Fatal(err)
	}
	if s.hz != 100 || s.lost != 7 || len(s.hits) != 2 {
		t.Fatalf("%+v", s)
	}
	tl := &tally{windows: []prof.Window{{Begin: 115, End: 200}}, found: map[key]*found{}}
	tl.hits(s)
	if f := tl.found[key{1, inRunning}]; len(tl.found) != 1 || f == nil || f.n != 1 || f.time != 1e7 {
		t.Errorf("%+v", tl.found)
	}
}

func TestRoom(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	r, err := newRoom(leastRoom)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.read(); err == nil || !strings.Contains(err.Error(), errSilent.Error()) {
		t.Errorf("%v", err)
	}
	if got := r.env("wall", 10_000_000); got != "TARE_SAMPLE=wall 10000000 "+r.path {
		t.Error(got)
	}
	text, err := os.ReadFile(r.path)
	if err != nil {
		t.Fatal(err)
	}
	word := func(i int, x uint64) { binary.NativeEndian.PutUint64(text[i*8:], x) }
	word(wordClaimed, 1)
	word(wordAnchor, 0x1234)
	word(wordLength, uint64(len(text)))
	if _, err := readRoom(text); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("%v", err)
	}
	copy(text[headerSize:], twoLooks)
	word(wordLength, uint64(len(twoLooks)))
	s, err := readRoom(text)
	if err != nil || len(s.looks) != 2 || s.anchor != 0x1234 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := readRoom([]byte("short")); err == nil {
		t.Error("no error without a header")
	}
	if err := r.remove(); err != nil {
		t.Error(err)
	}
}

// FuzzDecode: whatever is in the file, there is an error or a result that adds up.
func FuzzDecode(f *testing.F) {
	f.Add(twoLooks)
	f.Add(written(2, 0, 100, 0, 2, 0, 2, 10, 2, 0, 2, 1, 0x1000))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := &seen{}
		err := s.decode(b)
		for _, l := range s.looks {
			for _, c := range l.changes {
				if c.state != inGone && c.stack >= len(s.stacks) {
					t.Fatalf("stack %d of %d", c.stack, len(s.stacks))
				}
			}
		}
		if err != nil {
			return
		}
		res, err := weigh(s, func(i int) []frame { return []frame{{name: "main.f"}} }, record.Sampled{Mode: record.SampledWall}, nil)
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
		{inRunning, "runtime.asyncPreempt2 runtime.asyncPreempt main.spin main.f", "main.spin main.f"},
		{inRunning, "runtime.mallocgc main.f", "runtime.mallocgc main.f"},
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

// TestUnfit: a runtime that lacks what is needed is refused by what it lacks.
func TestUnfit(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct {
		t    Toolchain
		want string
	}{
		{Toolchain{Root: root, Version: "go1.9", OS: "windows", Arch: "amd64"}, "on windows/amd64"},
		{Toolchain{Root: root, Version: "go1.9", OS: "linux", Arch: "386"}, "on linux/386"},
		{Toolchain{Root: root, Version: "go1.9", OS: "linux", Arch: "amd64"}, "go1.9: no files in"},
	} {
		if _, err := NewInside(c.t); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	dir := filepath.Join(root, "src", "runtime")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	text := "package runtime\n"
	for _, a := range anchors[1:] {
		text += a + " { panic(0) }\n"
	}
	for _, f := range fields[1:] {
		typ, name, _ := strings.Cut(f, ".")
		text += "type " + typ + " struct { " + name + " int }\n" // parsed, and not compiled
	}
	text += strings.Replace(anchors[0], "uintptr", "int", 1) + " { panic(0) }\n"
	if err := os.WriteFile(filepath.Join(dir, "proc.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := NewInside(Toolchain{Root: root, Version: "go9.9", OS: "linux", Arch: "amd64"})
	if err == nil || !strings.HasSuffix(err.Error(), "go9.9: its runtime has no "+anchors[0]+", no "+fields[0]) {
		t.Errorf("%v", err)
	}
}

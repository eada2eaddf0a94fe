package perfevent

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// records builds what the kernel would write into a ring.
type records struct{ b []byte }

const testID = 77 // of the second event of newDecoder

func (r *records) put(typ uint32, misc uint16, body ...any) {
	var b bytes.Buffer
	for _, x := range body {
		if err := binary.Write(&b, binary.NativeEndian, x); err != nil {
			panic(err)
		}
	}
	r.b = binary.NativeEndian.AppendUint32(r.b, typ)
	r.b = binary.NativeEndian.AppendUint16(r.b, misc)
	r.b = binary.NativeEndian.AppendUint16(r.b, uint16(headerSize+b.Len()))
	r.b = append(r.b, b.Bytes()...)
}

// about is what records end with that are no samples.
func about(pid int32, time uint64) []any { return []any{pid, pid, time, uint64(testID)} }

func (r *records) sample(misc uint16, ip uint64, pid int32, time uint64, stack ...uint64) {
	body := []any{uint64(testID), ip, pid, pid + 1, time}
	if len(stack) > 0 {
		body = append(body, uint64(len(stack)), stack)
	}
	r.put(recordSample, misc, body...)
}

func (r *records) mmap(pid int32, time, start, length, offset uint64, name string) {
	padded := make([]byte, (len(name)+8)&^7)
	copy(padded, name)
	r.put(recordMmap2, 2, append([]any{pid, pid, start, length, offset, [24]byte{}, uint32(5), uint32(2), padded}, about(pid, time)...)...)
}

func (r *records) exec(pid int32, time uint64) {
	r.put(recordComm, miscExec, append([]any{pid, pid, [8]byte{'x'}}, about(pid, time)...)...)
}

func (r *records) fork(pid, parent int32, time uint64) {
	r.put(recordFork, 0, append([]any{pid, parent, pid, parent, time}, about(parent, time)...)...)
}

// newDecoder has two events, of which the second has an identity.
func newDecoder(c Config) *decoder {
	return &decoder{cfg: c, ids: map[uint64]uint8{testID: 1}, out: &Samples{Events: make([]Event, 2)}, spaces: addressSpaces{}}
}

// TestDecode: a process executes a program, starts another that executes a second one,
// and each is seen where it is.
func TestDecode(t *testing.T) {
	var r records
	r.exec(5, 100)
	r.mmap(5, 101, 0x400000, 0x2000, 0x1000, "/bin/a")
	r.mmap(5, 102, 0x7000, 0x1000, 0, "/lib/b.so")
	r.mmap(5, 103, 0x9000, 0x1000, 0, "[vdso]")
	r.sample(2, 0x400010, 5, 110)
	r.sample(2, 0x7008, 5, 111)
	r.sample(2, 0x9008, 5, 112)
	r.sample(2, 0xa000, 5, 113)
	r.sample(miscKernel, ^uint64(0)-9, 5, 114)
	r.fork(5, 5, 115) // a thread
	r.fork(6, 5, 120)
	r.sample(2, 0x400020, 6, 121)
	r.exec(6, 130)
	r.mmap(6, 131, 0x10000, 0x1000, 0x3000, "/bin/c")
	r.sample(2, 0x400020, 6, 140)
	r.sample(2, 0x10004, 6, 141)
	r.put(recordLost, 0, append([]any{uint64(testID), uint64(7)}, about(5, 150)...)...)
	r.put(recordLostSamples, 0, append([]any{uint64(2)}, about(5, 150)...)...)
	r.put(recordThrottle, 0, append([]any{uint64(151), uint64(testID), uint64(1)}, about(5, 151)...)...)
	r.put(4, 0, uint64(0), uint64(0))      // an exit
	r.put(4711, 0, []byte("what is this")) // from a newer kernel

	d := newDecoder(Config{})
	d.decode(r.b)
	d.finish()
	type place struct {
		path   string
		main   bool
		offset uint64
	}
	var got []place
	d.out.Walk(func(s Sample, m *Map) {
		switch {
		case s.Event != 1 || s.TID != s.PID+1:
			t.Errorf("%+v", s)
		case s.Kernel:
			got = append(got, place{path: "kernel"})
		case m == nil:
			got = append(got, place{})
		default:
			got = append(got, place{m.Path, m.Main, s.IP - m.Start + m.Offset})
		}
	})
	want := []place{
		{"/bin/a", true, 0x1010}, {"/lib/b.so", false, 8}, {"[vdso]", false, 8}, {}, {path: "kernel"},
		{"/bin/a", true, 0x1020}, {}, {"/bin/c", true, 0x3004},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if e := d.out.Events[1]; e.Samples != 8 || e.Throttled != 1 || d.out.Lost != 9 || d.out.Exec != 100 || d.out.Damaged != 0 {
		t.Errorf("%+v, %d lost, exec %d, %d damaged", e, d.out.Lost, d.out.Exec, d.out.Damaged)
	}
}

// TestStacks: callers are kept, and what says whose they are is not one.
func TestStacks(t *testing.T) {
	const user = ^uint64(511) // PERF_CONTEXT_USER
	var r records
	r.sample(2, 1, 5, 10, user, 0x11, 0x12)
	r.sample(2, 2, 5, 11)
	r.sample(2, 3, 5, 12, user, 0x13)
	d := newDecoder(Config{Stacks: true})
	d.decode(r.b)
	want := [][]uint64{{0x11, 0x12}, {}, {0x13}}
	for i, s := range d.out.List {
		if got := d.out.Stack(s); len(got) != len(want[i]) || len(got) > 0 && !reflect.DeepEqual(got, want[i]) {
			t.Errorf("sample %d: %#x, want %#x", i, got, want[i])
		}
	}
}

// TestDamaged: what is no record is counted, and ends nothing.
func TestDamaged(t *testing.T) {
	var whole records
	whole.sample(2, 1, 5, 10)
	for n := range len(whole.b) {
		d := newDecoder(Config{})
		d.decode(whole.b[:n])
		if len(d.out.List) != 0 || d.out.Damaged != int64(n) {
			t.Errorf("of %d bytes: %d samples, %d damaged", n, len(d.out.List), d.out.Damaged)
		}
	}
	for _, typ := range []uint32{recordSample, recordMmap2, recordFork, recordLost, recordLostSamples, recordThrottle} {
		var r records
		r.put(typ, 0, uint32(1))
		r.sample(2, 1, 5, 10)
		d := newDecoder(Config{})
		d.decode(r.b)
		if len(d.out.List) != 1 || d.out.Damaged != headerSize+4 {
			t.Errorf("a short record of type %d: %d samples, %d damaged", typ, len(d.out.List), d.out.Damaged)
		}
	}
	d := newDecoder(Config{})
	d.decode(make([]byte, 64)) // of size 0
	if d.out.Damaged != 64 {
		t.Errorf("%d damaged", d.out.Damaged)
	}
}

// TestKeeps: the delay counts from the first exec, whatever was read first, and its
// edges are those of a half-open interval.
func TestKeeps(t *testing.T) {
	var r records
	for _, at := range []uint64{1000, 1099, 1100, 1249, 1250} {
		r.sample(2, at, 5, at)
	}
	r.exec(6, 1200)
	r.exec(5, 1000)
	d := newDecoder(Config{Delay: 100, Duration: 150})
	d.decode(r.b)
	d.finish()
	if l := d.out.List; len(l) != 2 || l[0].Time != 1100 || l[1].Time != 1249 || d.out.Events[1].Skipped != 3 || d.out.Events[1].Samples != 5 {
		t.Errorf("%+v, %+v", l, d.out.Events[1])
	}
}

// TestSee: samples that are handed over while they come are those that would have been
// kept, in the same order, with the same maps and stacks, however they come.
func TestSee(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	type seen struct {
		ip    uint64
		path  string
		stack string
	}
	for _, cfg := range []Config{{Stacks: true}, {Stacks: true, Delay: time.Second, Duration: 3 * time.Second}} {
		var batches []records // what is read at once
		now := uint64(1e9)
		for range 60 {
			var r records
			if len(batches)%7 == 0 {
				r.exec(5, now)
				r.mmap(5, now+1, 0x1000*rng.Uint64N(4), 0x2000, 0, "/bin/"+string(rune('a'+len(batches)%26)))
			}
			rings := [2]records{}
			for range rng.IntN(20) {
				now += rng.Uint64N(uint64(20 * time.Millisecond))
				rings[rng.IntN(2)].sample(2, rng.Uint64N(0x6000), 5, now, now, now+1)
			}
			r.b = append(append(r.b, rings[1].b...), rings[0].b...)
			batches = append(batches, r)
		}
		kept := newDecoder(cfg)
		var want, got []seen
		note := func(list *[]seen) func(Sample, *Map, []uint64) {
			return func(x Sample, m *Map, stack []uint64) {
				s := seen{ip: x.IP, stack: fmt.Sprint(stack)}
				if m != nil {
					s.path = m.Path
				}
				*list = append(*list, s)
			}
		}
		cfg.Visit = note(&got)
		handed := newDecoder(cfg)
		most := 0
		for _, r := range batches {
			kept.decode(r.b)
			handed.decode(r.b)
			handed.flush(false)
			most = max(most, len(handed.out.List))
		}
		kept.finish()
		handed.finish()
		add := note(&want)
		kept.out.Walk(func(x Sample, m *Map) { add(x, m, kept.out.Stack(x)) })
		if !reflect.DeepEqual(got, want) || len(got) == 0 || len(handed.out.List) != 0 {
			t.Errorf("%d samples, want %d, %d left", len(got), len(want), len(handed.out.List))
		}
		if most > len(kept.out.List)/3 {
			t.Errorf("%d of %d samples were kept at a time", most, len(kept.out.List))
		}
		if !reflect.DeepEqual(kept.out.Events, handed.out.Events) {
			t.Errorf("%+v, want %+v", handed.out.Events, kept.out.Events)
		}
	}
}

// TestUnwrap: whatever the positions, a ring gives back what was written.
func TestUnwrap(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const size = 64
	data := make([]byte, size)
	head, tail := ^uint64(0)-1000, ^uint64(0)-1000 // positions wrap, too
	var want []byte
	for range 10_000 {
		for n := rng.IntN(size - int(head-tail) + 1); n > 0; n-- {
			c := byte(rng.Uint32())
			data[head%size] = c
			want = append(want, c)
			head++
		}
		if got := appendRing(nil, data, tail, head); !bytes.Equal(got, want) {
			t.Fatalf("from %d to %d: %x, want %x", tail, head, got, want)
		}
		tail, want = head, want[:0]
	}
	if got := appendRing(nil, data, 0, size+1); got != nil {
		t.Errorf("an overrun gave %x", got)
	}
}

// TestSpaces holds address spaces against one page of memory after the other.
func TestSpaces(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	const pages = 40
	type page struct {
		path   string
		offset uint64
	}
	for range 200 {
		a := addressSpaces{}
		var want [pages]page
		for n := range 1 + rng.IntN(12) {
			start := uint64(rng.IntN(pages))
			end := start + uint64(rng.IntN(pages-int(start)))
			m := Map{Start: start, End: end, Offset: uint64(1000 * n), Path: "/" + string(rune('a'+n))}
			a.apply(&change{what: mapped, pid: 1, m: m})
			for p := start; p < end; p++ {
				want[p] = page{m.Path, m.Offset + p - start}
			}
		}
		for p, w := range want {
			var got page
			if m := a.find(1, uint64(p)); m != nil {
				got = page{m.Path, m.Offset + uint64(p) - m.Start}
			}
			if got != w {
				t.Fatalf("page %d: %+v, want %+v", p, got, w)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	var r records
	r.exec(5, 100)
	r.mmap(5, 101, 0x400000, 0x2000, 0x1000, "/bin/a")
	r.sample(2, 0x400010, 5, 110, ^uint64(511), 1, 2)
	r.fork(6, 5, 120)
	r.put(recordLost, 0, append([]any{uint64(testID), uint64(7)}, about(5, 150)...)...)
	r.put(recordThrottle, 0, append([]any{uint64(151), uint64(testID), uint64(1)}, about(5, 151)...)...)
	f.Add(r.b)
	f.Add(r.b[:len(r.b)-3])
	f.Fuzz(func(t *testing.T, b []byte) {
		d := newDecoder(Config{Stacks: true, Delay: 1, Duration: 1 << 40})
		d.decode(b)
		n := int64(len(d.out.List))
		if n*sampleSize+d.out.Damaged > int64(len(b)) {
			t.Errorf("%d samples and %d damaged bytes of %d", n, d.out.Damaged, len(b))
		}
		d.finish()
		var taken, skipped int64
		for _, e := range d.out.Events {
			taken, skipped = taken+e.Samples, skipped+e.Skipped
		}
		walked := int64(0)
		d.out.Walk(func(s Sample, m *Map) {
			walked++
			d.out.Stack(s)
			if m != nil && (s.IP < m.Start || s.IP >= m.End) {
				t.Errorf("%#x is not in %+v", s.IP, m)
			}
		})
		if taken != n || walked != n-skipped {
			t.Errorf("%d samples, %d counted, %d skipped, %d walked", n, taken, skipped, walked)
		}
	})
}

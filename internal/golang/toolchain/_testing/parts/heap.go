package testing

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// tareHeap reports what occupies the heap: the runtime's memory profile at a moment when garbage is
// collected and the measured values are still alive, less the profile before the benchmark's function
// was first called. Frequent sampling makes allocations slow and takes memory, so that these forks
// measure nothing else.
//
// The moment is that of tareMem: in the last call of b.Loop, in TareLoopEnd, or else in the last fifth of the window;
// only the last iteration counts.
var tareHeap = tarePart{
	process: tareHeapProcess, before: tareHeapBefore, begin: tareHeapBegin, end: tareHeapEnd, live: tareHeapLive, written: tareHeapWritten,
}

const (
	// tareHeapRate is the mean number of bytes from one sample to the next. A million
	// objects of 64 bytes are then counted with a standard deviation of 0.3 %, and to
	// allocate them takes three times as long; with every object sampled, 14 times.
	tareHeapRate = 512

	tareHeapPause  = 20 * time.Millisecond // between collections
	tareHeapRounds = 10                    // collections at most
)

// Benchmarks run one after the other and share one state.
var tareHeapNow tareHeapState

type tareHeapState struct {
	weighed  bool
	baseline uint64                 // live heap before the first call
	before   map[tareHeapKey]uint64 // objects sampled before that call that are still alive

	seen *tareHeapView   // of the current iteration; nil: none
	mid  *tareHeapMidRun // nil: the moment is when the loop has ended
}

// tareHeapKey is one entry of the runtime's profile.
type tareHeapKey struct {
	stack [32]uintptr
	size  uint64 // of an object
}

// tareHeapView is the profile at the moment.
type tareHeapView struct {
	iter  int
	how   string // "loop" or "mid-run"
	heap  uint64 // live heap, as the runtime counts it
	rate  int    // of sampling, at the moment
	stack []tareHeapStack
}

// tareHeapStack is where sampled objects of one size were allocated.
type tareHeapStack struct {
	pc      [32]uintptr
	objects uint64 // sampled
	size    uint64
}

// estimate returns how many bytes the samples stand for, computed as by pprof: an object of size s is
// sampled with probability 1 - exp(-s/rate).
func (s *tareHeapStack) estimate() (objects, bytes float64) {
	objects = float64(s.objects) / -math.Expm1(-float64(s.size)/tareHeapRate)
	return objects, objects * float64(s.size)
}

// tareHeapProcess turns sampling off until a benchmark begins.
func tareHeapProcess() { runtime.MemProfileRate = 0 }

func tareHeapBefore(b *B) {
	m := &tareHeapNow
	if !m.weighed {
		m.weighed = true
		m.baseline = tareHeapSettle(tareHeapPause)
		m.before = map[tareHeapKey]uint64{}
		for _, s := range tareHeapProfile() {
			m.before[tareHeapKey{s.pc, s.size}] = s.objects
		}
		runtime.MemProfileRate = tareHeapRate
	}
	m.seen, m.mid = nil, nil
}

// tareHeapSettle collects until the heap no longer shrinks. The profile then is
// that of the last collection.
func tareHeapSettle(pause time.Duration) uint64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	least := s.HeapAlloc
	for range tareHeapRounds {
		time.Sleep(pause)
		runtime.GC()
		runtime.ReadMemStats(&s)
		if s.HeapAlloc >= least {
			break
		}
		least = s.HeapAlloc
	}
	return least
}

// tareHeapProfile returns the stacks with sampled objects that are alive.
func tareHeapProfile() []tareHeapStack {
	n, _ := runtime.MemProfile(nil, false)
	var records []runtime.MemProfileRecord
	for ok := false; !ok; {
		records = make([]runtime.MemProfileRecord, n+n/8+16)
		n, ok = runtime.MemProfile(records, false)
	}
	out := make([]tareHeapStack, 0, n)
	for i := range records[:n] {
		r := &records[i]
		if objects := r.InUseObjects(); objects > 0 { // all of one size
			out = append(out, tareHeapStack{pc: r.Stack0, objects: uint64(objects), size: uint64(r.InUseBytes() / objects)})
		}
	}
	return out
}

// see collects garbage and takes the profile.
func (m *tareHeapState) see(how string, pause time.Duration) *tareHeapView {
	v := &tareHeapView{how: how, heap: tareHeapSettle(pause), rate: runtime.MemProfileRate}
	for _, s := range tareHeapProfile() {
		had := m.before[tareHeapKey{s.pc, s.size}]
		if s.objects -= min(had, s.objects); s.objects > 0 {
			v.stack = append(v.stack, s)
		}
	}
	return v
}

func tareHeapLast(b *B) bool { return b.tare.iter >= int(*count) }

func tareHeapLive(b *B) {
	if tareHeapLast(b) {
		tareHeapNow.seen = tareHeapNow.see("loop", tareHeapPause)
	}
}

// tareHeapMidRun is one window in which the profile is taken while the benchmark
// runs.
type tareHeapMidRun struct {
	over atomic.Bool   // the window
	done chan struct{} // closed when nothing more will be read
	stop chan struct{} // closed with the window
	seen *tareHeapView
}

func tareHeapBegin(b *B) {
	m := &tareHeapNow
	m.mid.end() // of a timer that was reset
	m.mid = nil
	t := b.tare
	if t.loop || t.loopEnd || t.iter == 1 || !tareHeapLast(b) {
		return
	}
	length := time.Duration(t.ns)
	if b.benchTime.n == 0 {
		length = b.benchTime.d // in the search for N the window ends earlier
	}
	if length > 0 {
		m.mid = &tareHeapMidRun{done: make(chan struct{}), stop: make(chan struct{})}
		go m.mid.watch(length * 4 / 5)
	}
}

func (r *tareHeapMidRun) watch(wait time.Duration) {
	defer close(r.done)
	select {
	case <-r.stop:
		return
	case <-time.After(wait):
	}
	v := tareHeapNow.see("mid-run", time.Millisecond)
	if !r.over.Load() {
		r.seen = v
	}
}

// end returns when nothing more will be read.
func (r *tareHeapMidRun) end() {
	if r != nil {
		r.over.Store(true)
		close(r.stop)
		<-r.done
	}
}

func tareHeapEnd(b *B) {
	m := &tareHeapNow
	m.mid.end()
	if m.mid != nil {
		m.seen = m.mid.seen
	}
	m.mid = nil
}

// tareHeapWritten sends the profile of the last iteration, or a warning that says why there is none.
func tareHeapWritten(b *B) {
	if !tareHeapLast(b) {
		return
	}
	m := &tareHeapNow
	switch v := m.seen; {
	case v == nil:
		tareWarn("not-settled", "file", "of", "heap")
	case v.rate != tareHeapRate:
		tareWarn("not-available", "rate")
	default:
		v.iter = b.tare.iter
		v.send(m.baseline)
	}
	m.seen = nil
}

const (
	tareHeapStacks = 200                    // stacks that are sent one by one
	tareHeapFrames = 16                     // of a stack
	tareHeapName   = 250                    // bytes of a name or path
	tareHeapPiece  = 3 << 10                // bytes of one attachment, to which the largest stack adds 9 KiB
	tareHeapWait   = 500 * time.Millisecond // that the pipe may take for the lines
)

// send writes the profile in pieces that the pipe has room for: the largest
// stacks, and the sum of the others. internal/profile/mem puts the pieces together.
func (v *tareHeapView) send(baseline uint64) {
	slices.SortFunc(v.stack, func(a, b tareHeapStack) int {
		_, x := a.estimate()
		_, y := b.estimate()
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return slices.Compare(a.pc[:], b.pc[:])
	})
	p := tareHeapPieces{view: v}
	p.begin()
	p.json.text("how", v.how)
	p.json.int("rate", tareHeapRate)
	p.json.int("growth", int64(v.heap)-int64(baseline))
	anchor, at := tareHeapAnchor()
	p.json.text("anchor", anchor)
	p.json.int("at", int64(at))
	sent := min(len(v.stack), tareHeapStacks)
	p.json.int("told", int64(sent))
	var objects, bytes float64
	for i := range v.stack[sent:] {
		o, n := v.stack[sent+i].estimate()
		objects, bytes = objects+o, bytes+n
	}
	p.json.int("others", int64(len(v.stack)-sent))
	p.json.float("others_objects", objects)
	p.json.float("others_bytes", bytes)
	for i := range v.stack[:sent] {
		p.stack(&v.stack[i])
	}
	p.end()
}

// tareHeapAnchor is a function and its address in this process, by which the
// addresses in the file are found.
func tareHeapAnchor() (string, uintptr) {
	var pc [1]uintptr
	runtime.Callers(0, pc[:])
	f, _ := runtime.CallersFrames(pc[:]).Next() // may be inlined into this one: the entry is that of real code
	return runtime.FuncForPC(f.Entry).Name(), f.Entry
}

// tareHeapPieces are the attachments that are being written.
type tareHeapPieces struct {
	view  *tareHeapView
	json  tareLine
	count int // stacks in it
}

func (p *tareHeapPieces) begin() { p.json, p.count = append(p.json[:0], '{'), 0 }

func (p *tareHeapPieces) stack(s *tareHeapStack) {
	if len(p.json) > tareHeapPiece {
		p.end()
		p.begin()
	}
	if p.count++; p.count == 1 {
		p.json.key("stacks")
		p.json = append(p.json, '[')
	} else {
		p.json = append(p.json, ',')
	}
	p.json = append(p.json, '{')
	p.json.int("o", int64(s.objects))
	p.json.int("s", int64(s.size))
	p.frames(s)
	p.json.close()
}

// frames writes the frames of a stack, the innermost first: from the function of
// the runtime that was called, down to the benchmark's. Of the site itself, the
// frame behind that, go the entry of its function and the return address.
func (p *tareHeapPieces) frames(s *tareHeapStack) {
	n := slices.Index(s.pc[:], 0)
	if n < 0 {
		n = len(s.pc)
	}
	frames := runtime.CallersFrames(s.pc[:n])
	var called, inside runtime.Frame // the last that belongs to the runtime, the first that does not only allocate
	sent := 0
	for more := n > 0; more && sent < tareHeapFrames; {
		var f runtime.Frame
		f, more = frames.Next()
		if sent == 0 {
			if mine := tareHeapOfRuntime(f.Function); mine && more {
				if called = f; inside.Function == "" && !tareHeapAllocates(f.Function) {
					inside = f
				}
				continue
			} else if mine && inside.Function != "" { // for itself
				called, f = runtime.Frame{}, inside
			}
			p.json.text("via", called.Function)
			p.json.int("entry", int64(f.Entry))
			p.json.int("ret", int64(f.PC)+1)
			p.json.key("f")
			p.json = append(p.json, '[')
		} else if strings.HasPrefix(f.Function, "testing.(*B).") {
			break
		} else {
			p.json = append(p.json, ',')
		}
		sent++
		p.json = append(p.json, '{')
		p.json.text("n", f.Function[:min(len(f.Function), tareHeapName)])
		p.json.text("p", f.File[max(len(f.File)-tareHeapName, 0):])
		p.json.int("l", int64(f.Line))
		p.json.close()
	}
	if sent > 0 {
		p.json = append(p.json, ']')
	}
}

// tareHeapAllocates reports whether a function of the runtime only allocates.
func tareHeapAllocates(name string) bool {
	for _, start := range [...]string{"runtime.malloc", "runtime.new", "runtime.makeslice", "runtime.growslice"} {
		if strings.HasPrefix(name, start) {
			return true
		}
	}
	return false
}

// tareHeapOfRuntime reports whether a function belongs to the runtime, which allocates for others.
func tareHeapOfRuntime(name string) bool {
	switch {
	case strings.HasPrefix(name, "runtime."), strings.HasPrefix(name, "internal/runtime/"):
		return true
	case strings.HasPrefix(name, "reflect.unsafe_New"), strings.HasPrefix(name, "reflect.mapassign"):
		return true // the runtime's, under the names by which others know them
	}
	switch name {
	case "internal/bytealg.MakeNoZero", "internal/reflectlite.unsafe_New", "reflect.makechan", "reflect.makemap", "reflect.growslice", "maps.clone":
		return true
	}
	return false
}

// end sends the piece, and waits a while for the pipe: there is no window open.
func (p *tareHeapPieces) end() {
	if p.count > 0 {
		p.json = append(p.json, ']')
	}
	p.json.close()
	l := tareOut.line("attach")
	l.int("iter", int64(p.view.iter))
	l.text("name", "heap")
	l.text("media", "application/json")
	l.bytes("data", p.json)
	tareOut.end()
	for start := time.Now(); time.Since(start) < tareHeapWait; time.Sleep(time.Millisecond) {
		if tareOut.flush(); len(tareOut.wait) == 0 {
			return
		}
	}
}

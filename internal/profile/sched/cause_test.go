package sched

import (
	"testing"

	"github.com/tarebench/tare/record"
)

// TestCauses: what goroutines wait for, where and in which operation, by the tracer's reason and the stack.
func TestCauses(t *testing.T) {
	for _, c := range []struct {
		reason  string
		stack   []string
		cause   string
		fn, op  string
		callers int
	}{
		{"sync", []string{"sync.(*Mutex).Lock", "m.get", "m.BenchmarkX"}, record.WaitLock, "m.get", "sync.(*Mutex).Lock", 1},
		{"sync", []string{"sync.runtime_SemacquireMutex", "internal/sync.(*Mutex).lockSlow", "sync.(*Mutex).Lock", "sync.(*Once).doSlow", "sync.(*Once).Do", "example.com/a.b/m.(*T[go.shape.int]).get"}, record.WaitLock, "example.com/a.b/m.(*T[go.shape.int]).get", "sync.(*Once).Do", 0},
		{"sync", []string{"sync.(*RWMutex).RLock", "net/http.(*Transport).get", "m.a", "m.b", "m.c", "m.d", "m.e"}, record.WaitLock, "net/http.(*Transport).get", "sync.(*RWMutex).RLock", 4},
		{"sync", []string{"internal/poll.(*fdMutex).rwlock", "internal/poll.(*FD).Write", "os.(*File).Write", "m.log"}, record.WaitLock, "m.log", "os.(*File).Write", 0},
		{"sync", []string{"sync.(*WaitGroup).Wait", "m.all"}, record.WaitWaitGroup, "m.all", "sync.(*WaitGroup).Wait", 0},
		{"sync", []string{"runtime.gcStart", "runtime.mallocgc", "runtime.newobject", "m.make"}, record.WaitGC, "m.make", "runtime.newobject", 0},
		{"sync", []string{"runtime.semacquire", "runtime.stopTheWorld", "runtime.ReadMemStats", "m.stats"}, record.WaitOther, "m.stats", "", 0},
		{"sync", []string{"m.odd", "sync.(*Mutex).Lock"}, record.WaitOther, "m.odd", "", 1},
		{"chan send", []string{"runtime.chansend1", "m.put"}, record.WaitSend, "m.put", "", 0},
		{"chan receive", []string{"runtime.chanrecv2", "m.take", "runtime.goexit"}, record.WaitReceive, "m.take", "", 0},
		{"select", []string{"runtime.selectgo", "m.loop"}, record.WaitSelect, "m.loop", "", 0},
		{"network", []string{"internal/poll.(*FD).Read", "net.(*netFD).Read", "net.(*conn).Read", "m.read"}, record.WaitNetwork, "m.read", "net.(*conn).Read", 0},
		{"sleep", []string{"time.Sleep", "m.nap"}, record.WaitSleep, "m.nap", "time.Sleep", 0},
		{"sync.(*Cond).Wait", []string{"sync.(*Cond).Wait", "m.pop"}, record.WaitCond, "m.pop", "sync.(*Cond).Wait", 0},
		{"GC mark assist wait for work", []string{"runtime.gcAssistAlloc", "runtime.mallocgc", "runtime.makeslice", "m.make"}, record.WaitGC, "m.make", "runtime.makeslice", 0},
		{"wait until GC ends", []string{"runtime.GC", "m.collect"}, record.WaitGC, "m.collect", "runtime.GC", 0},
		{"a reason of later versions", []string{"runtime.gopark", "m.f"}, record.WaitOther, "m.f", "", 0},
		{"", []string{"runtime.gopark", "runtime.chanrecv", "runtime.chanrecv1", "m.take"}, record.WaitReceive, "m.take", "", 0}, // since before the trace
		{"", []string{"runtime.gopark", "runtime.bgsweep", "runtime.gcenable.gowrap1"}, record.WaitOther, "runtime.gcenable.gowrap1", "", 0},
		{"", nil, record.WaitOther, "", "", 0},
	} {
		cause := causeOf(c.reason, stackOf(c.stack...))
		at, path := placeOf(stackOf(c.stack...), cause)
		if cause != c.cause || at.Func != c.fn || at.Op != c.op || len(path) != c.callers {
			t.Errorf("%q, %q: %s at %+v from %q, want %+v", c.reason, c.stack, cause, at, path, c)
		}
	}
}

// TestSystemCalls: a system call is called by its name, where there is one.
func TestSystemCalls(t *testing.T) {
	for _, c := range []struct {
		stack  []string
		fn, op string
	}{
		{[]string{"syscall.Syscall", "syscall.write", "syscall.Write", "internal/poll.(*FD).Write", "os.(*File).Write", "m.log"}, "m.log", "syscall.write"},
		{[]string{"syscall.RawSyscall6", "golang.org/x/sys/unix.Waitid", "m.wait"}, "m.wait", "golang.org/x/sys/unix.Waitid"},
		{[]string{"syscall.Syscall", "m.raw"}, "m.raw", "syscall.Syscall"},
		{[]string{"runtime.cgocall", "m._Cfunc_f", "m.g"}, "m._Cfunc_f", ""},
	} {
		if at, _ := placeOf(stackOf(c.stack...), record.WaitSyscall); at.Func != c.fn || at.Op != c.op {
			t.Errorf("%q: %+v, want %+v", c.stack, at, c)
		}
	}
}

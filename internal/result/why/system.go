package why

import (
	"fmt"
	"slices"
	"strings"
)

// nodeSystem is joined with what makes system calls, where their number changed.
const nodeSystem = "\x00system calls"

// enters are functions that every system call of a program executes once.
var enters = []string{"syscall.Syscall", "syscall.RawSyscall6", "internal/runtime/syscall/linux.Syscall6", "internal/runtime/syscall.Syscall6", "runtime.entersyscall"}

// systemParts begin the names of functions that make system calls for a program, or account for them. They call each other through
// interfaces, so that the machine code does not say it.
var systemParts = []string{"syscall.", "internal/poll.", "os.(*File).", "internal/runtime/syscall", "runtime.entersyscall", "runtime.reentersyscall", "runtime.exitsyscall", "runtime.save", "runtime.getcallerfp", "runtime.getfp"}

// joinSystemCalls joins what makes system calls, if there are more or fewer of them. Where goroutines wait longer in them, it belongs to
// these waits.
func (e *Evidence) joinSystemCalls(u union) {
	if e.systemCalls() == nil {
		return
	}
	if slices.ContainsFunc(e.Waits, func(w Wait) bool { return w.Cause == Syscall && w.changed() }) {
		u.join(nodeSystem, nodeWaiting)
	}
	for i := range e.Functions {
		f := &e.Functions[i]
		if slices.ContainsFunc(systemParts, func(s string) bool { return strings.HasPrefix(f.base(), s) }) {
			u.join(f.base(), nodeSystem)
		}
	}
}

// systemCalls returns the function that shows how the number of system calls changed; nil if it did not.
func (e *Evidence) systemCalls() *Function {
	for i := range e.Functions {
		f := &e.Functions[i]
		if slices.Contains(enters, f.base()) && e.Counted && e.instructions() > 0 {
			if d := f.Instructions[1] - f.Instructions[0]; d > leastMoved*e.instructions() || -d > leastMoved*e.instructions() {
				return f
			}
		}
	}
	return nil
}

// systemCause is a change in the number of system calls.
func (e *Evidence) systemCause(g *group) Cause {
	f := e.systemCalls()
	c := Cause{Kind: CauseWait, Wait: Syscall, Func: g.main().Symbol, Exact: true, What: "system calls are made that were not"}
	switch {
	case f.Instructions[1] == 0:
		c.What = "system calls are not made any more"
	case f.Instructions[0] > 0:
		c.What = fmt.Sprintf("system calls are made %.3g times as often", f.Instructions[1]/f.Instructions[0])
	}
	c.Evidence = []string{signed(g.added) + " instructions/op", "with " + g.others(f)}
	return c
}

package sched

import (
	"slices"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/tarebench/tare/record"
)

// maxPath is the maximum number of callers of a site.
const maxPath = 4

// libraries are the packages, and folders of packages, in which goroutines wait on behalf of their callers.
var libraries = []string{"runtime", "internal", "sync", "syscall", "time", "os", "net", "golang.org/x/sys"}

// isLibrary reports whether a function is in one of the libraries. A package below net, such as net/http, is not.
func isLibrary(name string) bool {
	pkg := packageOf(name)
	for _, l := range libraries {
		below, ok := strings.CutPrefix(pkg, l)
		if ok && (below == "" || below[0] == '/' && l != "net") {
			return true
		}
	}
	return false
}

// packageOf returns the path of a function's package.
func packageOf(name string) string {
	if i := strings.IndexByte(name, '['); i >= 0 { // of type arguments, which have paths, too
		name = name[:i]
	}
	slash := strings.LastIndexByte(name, '/') + 1
	if dot := strings.IndexByte(name[slash:], '.'); dot >= 0 {
		return name[:slash+dot]
	}
	return name
}

// placeOf returns the first line of a stack that is not in a library, and its callers. If there is none, it is the
// last line of the stack.
func placeOf(s trace.Stack, cause string) (at record.WaitPlace, path []string) {
	frames := slices.Collect(s.Frames())
	if k := len(frames); k > 0 && frames[k-1].Func == "runtime.goexit" {
		frames = frames[:k-1]
	}
	if len(frames) == 0 {
		return at, nil
	}
	i := slices.IndexFunc(frames, func(f trace.StackFrame) bool { return !isLibrary(f.Func) })
	if i < 0 {
		i = len(frames) - 1
	}
	f := frames[i]
	at = record.WaitPlace{Func: f.Func, File: f.File, Line: int(f.Line)}
	if i > 0 {
		at.Op = opOf(frames[:i], cause)
	}
	for _, f := range frames[i+1 : min(len(frames), i+1+maxPath)] {
		path = append(path, f.Func)
	}
	return at, path
}

// opOf returns the operation of the library that was called, from its frames: the outermost, or of a system call the
// innermost that has a name. Operations on channels are called by the compiler, and have none.
func opOf(frames []trace.StackFrame, cause string) string {
	if cause == record.WaitSyscall {
		for _, f := range frames {
			if !isRawSyscall(f.Func) {
				return f.Func
			}
		}
	}
	op := frames[len(frames)-1].Func
	if strings.HasPrefix(op, "runtime.") && cause != record.WaitGC {
		return ""
	}
	return op
}

// isRawSyscall reports whether a function makes any system call.
func isRawSyscall(name string) bool {
	_, of, _ := strings.Cut(name[strings.LastIndexByte(name, '/')+1:], ".")
	of = strings.ToLower(of)
	return strings.HasPrefix(of, "syscall") || strings.HasPrefix(of, "rawsyscall") || strings.HasPrefix(of, "runtime_") ||
		strings.HasPrefix(name, "runtime.") ||
		strings.HasPrefix(name, "internal/runtime/")
}

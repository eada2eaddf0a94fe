package asm

import (
	"net/url"
	"path"
	"strings"

	"github.com/tarebench/tare/internal/objfile"
	"github.com/tarebench/tare/record"
)

// Area returns the part of a program to which a function belongs: one of the Area constants of package record. m
// describes the build; without it everything outside of the standard library is the user's.
//
// The first match counts: C; assembly of any package; the package tested by a test binary; parts of the runtime, by
// file (of Go 1.26, since the runtime is one package); what runs benchmarks; the standard library; the main module or
// package; other modules.
func Area(fn objfile.Function, m objfile.Modules) string {
	if fn.C {
		return record.AreaC
	}
	if fn.Assembly {
		return record.AreaAssembly
	}
	pkg := packageOf(fn.Name)
	std := isStd(pkg, m)
	switch {
	case pkg == "":
		return withoutPackage(fn.Name)
	case std && isRuntime(pkg, fn.File):
		return runtimeArea(fn)
	case isMeasured(pkg, m):
		return record.AreaUser
	case isTesting(pkg, fn.File, m):
		return record.AreaTesting
	case std && isLock(pkg, fn.File):
		return record.AreaScheduler
	case std:
		return record.AreaStd
	case pkg == "main" || within(pkg, m.Main):
		return record.AreaUser
	case m.Main == "" && !inDeps(pkg, m):
		return record.AreaUser
	}
	return record.AreaModules
}

// packageOf returns the import path of a function's package, or "". For a function generated for a type it is the
// type's package.
func packageOf(name string) string {
	for _, made := range []string{"type:.eq.", "type:.hash."} {
		if of, ok := strings.CutPrefix(name, made); ok {
			name = strings.TrimLeft(of, "[]*0123456789")
			if strings.HasPrefix(name, "struct ") || strings.HasPrefix(name, "interface ") {
				return ""
			}
		}
	}
	name, _, _ = strings.Cut(name, "[") // type arguments have packages of their own
	slash := strings.LastIndexByte(name, '/') + 1
	last, _, ok := strings.Cut(name[slash:], ".")
	if !ok || strings.Contains(last, ":") {
		return ""
	}
	pkg := name[:slash] + last
	if plain, err := url.PathUnescape(pkg); err == nil { // dots in the last part are escaped
		pkg = plain
	}
	return pkg
}

// withoutPackage returns the area of functions without a package.
func withoutPackage(name string) string {
	switch {
	case strings.HasPrefix(name, "type:"): // of unnamed types
		return record.AreaRuntime
	case strings.HasPrefix(name, "_cgoexp_"): // called by C
		return record.AreaUser
	case strings.HasPrefix(name, "_cgo_"): // called by C, of runtime/cgo
		return record.AreaRuntime
	}
	return record.AreaUnknown
}

// within reports whether a package belongs to a module.
func within(pkg, module string) bool {
	rest, ok := strings.CutPrefix(pkg, module)
	return ok && module != "" && (rest == "" || rest[0] == '/' || rest == "_test")
}

// inDeps reports whether a package belongs to a dependency.
func inDeps(pkg string, m objfile.Modules) bool {
	for _, dep := range m.Deps {
		if within(pkg, dep) {
			return true
		}
	}
	return false
}

// stdRoots are the first path elements of the standard library's packages, as in go list std.
const stdRoots = " archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go" +
	" hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings" +
	" structs sync syscall testing text time unicode unique unsafe vendor weak "

// isStd reports whether a package belongs to the standard library. Paths of modules may look alike.
func isStd(pkg string, m objfile.Modules) bool {
	root, _, _ := strings.Cut(strings.TrimSuffix(pkg, "_test"), "/")
	return strings.Contains(stdRoots, " "+root+" ") && !within(pkg, m.Main) && !inDeps(pkg, m)
}

// isMeasured reports whether a test binary tests a package.
func isMeasured(pkg string, m objfile.Modules) bool {
	of, ok := strings.CutSuffix(m.Package, ".test")
	return ok && strings.TrimSuffix(pkg, "_test") == of
}

// isTesting reports whether a package runs benchmarks: Go's testing, the main function that go test generates, and
// tare's own code.
func isTesting(pkg, file string, m objfile.Modules) bool {
	const tare = "github.com/tarebench/tare"
	switch {
	case pkg == "main":
		return path.Base(file) == "_testmain.go"
	case pkg == "testing", strings.HasPrefix(pkg, "testing/"):
		return isStd(pkg, m)
	}
	return m.Main != tare && (pkg == tare+"/bench" || within(pkg, tare+"/internal"))
}

// isLock reports whether a function belongs to the locks of package sync.
func isLock(pkg, file string) bool {
	switch path.Base(file) {
	case "mutex.go", "rwmutex.go", "cond.go", "waitgroup.go", "once.go":
		return pkg == "sync" || pkg == "internal/sync"
	}
	return false
}

// isRuntime reports whether a function belongs to the runtime. Some have names of other packages, but their file is
// known.
func isRuntime(pkg, file string) bool {
	switch {
	case pkg == "runtime", pkg == "runtime/cgo", pkg == "internal/abi", pkg == "internal/cpu", within(pkg, "internal/runtime"):
		return true
	}
	dir := path.Dir(file)
	return dir == "runtime" || strings.HasSuffix(dir, "/src/runtime")
}

// runtimeArea returns the area of a function of the runtime.
func runtimeArea(fn objfile.Function) string {
	dir, file := path.Split(fn.File)
	dir = strings.TrimSuffix(dir, "/")
	switch {
	case strings.HasSuffix(dir, "internal/runtime/maps"):
		return record.AreaMaps
	case strings.HasSuffix(dir, "internal/runtime/gc/scan"):
		return record.AreaGC
	case strings.HasSuffix(dir, "internal/runtime/gc"):
		return record.AreaAllocator
	case path.Base(dir) != "runtime":
		return record.AreaRuntime
	}
	name := fn.Name[strings.LastIndexByte(fn.Name, '.')+1:]
	for _, part := range runtimeParts {
		if part.matches(strings.TrimSuffix(file, ".go"), name) {
			return part.area
		}
	}
	return record.AreaRuntime
}

// runtimePart describes an area's functions in package runtime.
type runtimePart struct {
	area  string
	files string // prefixes of file names, separated by spaces; with $ at the end: whole names
	names string // likewise of functions; "": all in those files
}

// runtimeParts lists the areas; the first match counts. Files with several areas are listed with their functions.
var runtimeParts = []runtimePart{
	{record.AreaMaps, "map", ""},
	{record.AreaMaps, "alg$", "memhash strhash f32hash f64hash c64hash c128hash interhash nilinterhash typehash stringHash bytesHash int32Hash int64Hash efaceHash ifaceHash trimHash"},
	{record.AreaAllocator, "mbitmap$", "heapSetType writeHeapBits initHeapBits nextFreeIndex refillAllocCache"},
	{record.AreaAllocator, "slice$", "makeslice growslice nextslicecap bytealg_MakeNoZero"},
	{record.AreaAllocator, "string$", "rawstring rawbyteslice rawruneslice"},
	{record.AreaAllocator, "iface$", "convT"},
	{record.AreaAllocator, "malloc mcache$ mcentral$ mheap$ mfixalloc$ mpage mpalloc mspanset$ mranges$ msize$ mem mmap$ arena$", ""},
	{record.AreaGC, "mgc mbarrier$ mbitmap$ mcheckmark$ mcleanup$ mfinal$ mwbbuf$ lfstack$", ""},
	{record.AreaScheduler, "os_ os2_ os3_", "futex newosproc osyield usleep semasleep semawakeup semacreate signalM preemptM"},
	{record.AreaScheduler, "proc$ runtime2$ chan$ select$ sema$ lock rwmutex$ netpoll preempt time$ coro$ note_ synctest$ nbpipe_", ""},
}

func (p runtimePart) matches(file, name string) bool {
	return begins(file, p.files) && (p.names == "" || begins(name, p.names))
}

// begins reports whether s begins with one of the words, or equals one that ends with $.
func begins(s, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if whole, ok := strings.CutSuffix(word, "$"); ok && s == whole || !ok && strings.HasPrefix(s, word) {
			return true
		}
	}
	return false
}

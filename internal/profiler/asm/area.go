package asm

import (
	"net/url"
	"path"
	"strings"

	"github.com/tarebench/tare/internal/objfile"
	"github.com/tarebench/tare/record"
)

// Area is to which part of a program a function belongs: one of the Area constants
// of package record. m says what was built; without it all that is not of the
// standard library is the user's.
//
// The first that fits wins: C; assembly, of any package; the package that a test
// binary is for; parts of the runtime, by the files they are in (those of Go 1.26:
// the runtime is one package); what runs benchmarks; the standard library; the main
// module or package; other modules.
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

// packageOf is the path of a function's package, as in import declarations; "" if
// its name has none. For what the compiler makes for a type it is the type's.
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

// withoutPackage is the area of functions without a package.
func withoutPackage(name string) string {
	switch {
	case strings.HasPrefix(name, "type:"): // of types without a name
		return record.AreaRuntime
	case strings.HasPrefix(name, "_cgoexp_"): // what C calls
		return record.AreaUser
	case strings.HasPrefix(name, "_cgo_"): // likewise, of runtime/cgo
		return record.AreaRuntime
	}
	return record.AreaUnknown
}

// within reports whether a package is of a module.
func within(pkg, module string) bool {
	rest, ok := strings.CutPrefix(pkg, module)
	return ok && module != "" && (rest == "" || rest[0] == '/' || rest == "_test")
}

// inDeps reports whether a package is of a module that the main one needs.
func inDeps(pkg string, m objfile.Modules) bool {
	for _, dep := range m.Deps {
		if within(pkg, dep) {
			return true
		}
	}
	return false
}

// stdRoots are the first parts of the paths of the standard library's packages, as
// in go list std.
const stdRoots = " archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go" +
	" hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings" +
	" structs sync syscall testing text time unicode unique unsafe vendor weak "

// isStd reports whether a package is of the standard library. Modules may have paths
// that look like it.
func isStd(pkg string, m objfile.Modules) bool {
	root, _, _ := strings.Cut(strings.TrimSuffix(pkg, "_test"), "/")
	return strings.Contains(stdRoots, " "+root+" ") && !within(pkg, m.Main) && !inDeps(pkg, m)
}

// isMeasured reports whether a test binary is for a package.
func isMeasured(pkg string, m objfile.Modules) bool {
	of, ok := strings.CutSuffix(m.Package, ".test")
	return ok && strings.TrimSuffix(pkg, "_test") == of
}

// isTesting reports whether a package runs benchmarks: Go's testing, the main
// function that go test writes, and what tare adds.
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

// isLock reports whether a function is of the locks and conditions of package sync.
func isLock(pkg, file string) bool {
	switch path.Base(file) {
	case "mutex.go", "rwmutex.go", "cond.go", "waitgroup.go", "once.go":
		return pkg == "sync" || pkg == "internal/sync"
	}
	return false
}

// isRuntime reports whether a function is of the runtime. It has functions that are
// named for other packages: the file tells.
func isRuntime(pkg, file string) bool {
	switch {
	case pkg == "runtime", pkg == "runtime/cgo", pkg == "internal/abi", pkg == "internal/cpu", within(pkg, "internal/runtime"):
		return true
	}
	dir := path.Dir(file)
	return dir == "runtime" || strings.HasSuffix(dir, "/src/runtime")
}

// runtimeArea is the part of the runtime.
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
		if part.fits(strings.TrimSuffix(file, ".go"), name) {
			return part.area
		}
	}
	return record.AreaRuntime
}

// runtimePart says which functions of package runtime make up an area.
type runtimePart struct {
	area  string
	files string // beginnings of the names of files; with $ at the end, the whole name; separated by blanks
	names string // likewise of functions; "": all of those files
}

// runtimeParts are the parts by the first that fits. Files that are mixed have their
// functions named.
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

func (p runtimePart) fits(file, name string) bool {
	return begins(file, p.files) && (p.names == "" || begins(name, p.names))
}

// begins reports whether s begins with one of the words, or is one that ends with $.
func begins(s, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if whole, ok := strings.CutSuffix(word, "$"); ok && s == whole || !ok && strings.HasPrefix(s, word) {
			return true
		}
	}
	return false
}

// Package gofunc says what the name of a Go function, and its file, tell of where it belongs: its package, whether that is
// of the standard library, and which part of the runtime.
package gofunc

import (
	"net/url"
	"path"
	"strings"

	"github.com/tarebench/tare/record"
)

// Package returns the import path of a function's package, or "". For a function generated for a type it is the
// type's package.
func Package(name string) string {
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

// stdRoots are the first path elements of the standard library's packages, as in go list std.
const stdRoots = " archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go" +
	" hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings" +
	" structs sync syscall testing text time unicode unique unsafe vendor weak "

// IsStd reports whether a package is of the standard library, by the first element of its path. Paths of modules may look
// alike.
func IsStd(pkg string) bool {
	root, _, _ := strings.Cut(strings.TrimSuffix(pkg, "_test"), "/")
	return strings.Contains(stdRoots, " "+root+" ")
}

// IsRuntime reports whether a function belongs to the runtime. Some have names of other packages, but their file is
// known.
func IsRuntime(pkg, file string) bool {
	switch {
	case pkg == "runtime", pkg == "runtime/cgo", pkg == "internal/abi", pkg == "internal/cpu", pkg == "internal/runtime", strings.HasPrefix(pkg, "internal/runtime/"):
		return true
	}
	dir := path.Dir(file)
	return dir == "runtime" || strings.HasSuffix(dir, "/src/runtime")
}

// RuntimeArea returns the area of a function of the runtime: one of the Area constants of package record. Of functions
// whose file is not known it returns that of the runtime.
func RuntimeArea(name, file string) string {
	dir, file := path.Split(file)
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
	name = name[strings.LastIndexByte(name, '.')+1:]
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
	names string // prefixes of function names, separated by spaces; with $ at the end: whole names; "": all in those files
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

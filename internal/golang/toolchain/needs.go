package toolchain

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// What a part uses of package runtime: functions by their types, other declarations by name, fields of structures, and
// imports. A Go version that lacks one is rejected before anything is compiled. TestNeeds derives the lists from the
// sources of the parts.

// samplerNeeds is what the sampler uses and edits.
var samplerNeeds = []string{
	"func atomicAllG() (**g, uintptr)",
	"func atomicAllGIndex(ptr **g, i uintptr) *g",
	"func casfrom_Gscanstatus(gp *g, oldval, newval uint32)",
	"func castogscanstatus(gp *g, oldval, newval uint32) bool",
	"func cheaprand64() int64",
	"func checkdead()",
	"func closefd(fd int32) int32",
	"func entersyscallblock()",
	"func exitsyscall()",
	"func gcallers(gp *g, skip int, pcbuf []uintptr) int",
	"func getg() *g",
	"func getpid() int",
	"func (mp *m) hasCgoOnStack() bool",
	"func (u *unwinder) initAt(pc0, sp0, lr0 uintptr, gp *g, flags unwindFlags)",
	"func isSystemGoroutine(gp *g, fixed bool) bool",
	"func (w waitReason) isWaitingForSuspendG() bool",
	"func lock(l *mutex)",
	"func memmove(to, from unsafe.Pointer, n uintptr)",
	"func mmap(addr unsafe.Pointer, n uintptr, prot, flags, fd int32, off uint32) (unsafe.Pointer, int)",
	"func munmap(addr unsafe.Pointer, n uintptr)",
	"func nanotime() int64",
	"func newm(fn func(), pp *p, id int64)",
	"func open(name *byte, mode, perm int32) (ret int32)",
	"func open(name *byte, mode, perm int32) int32",
	"func persistentalloc(size, align uintptr, sysStat *sysMemStat) unsafe.Pointer",
	"func procyield(cycles uint32)",
	"func pthread_kill(t pthread, sig uint32)",
	"func (gp guintptr) ptr() *g",
	"func (mp muintptr) ptr() *m",
	"func (b *profBuf) read(mode profBufReadMode) (data []uint64, tags []unsafe.Pointer, eof bool)",
	"func readgstatus(gp *g) uint32",
	"func (rw *rwmutex) rlock()",
	"func (rw *rwmutex) runlock()",
	"func runtime_pprof_readProfile() ([]uint64, []unsafe.Pointer, bool)",
	"func SetCPUProfileRate(hz int)",
	"func sighandler(sig uint32, info *siginfo, ctxt unsafe.Pointer, gp *g)",
	"func (c *sigctxt) siglr() uintptr",
	"func (c *sigctxt) sigpc() uintptr",
	"func (c *sigctxt) sigsp() uintptr",
	"func systemstack(fn func())",
	"func tgkill(tgid, tid, sig int)",
	"func timeSleep(ns int64)",
	"func tracebackPCs(u *unwinder, skip int, pcBuf []uintptr) int",
	"func tracefpunwindoff() bool",
	"func unlock(l *mutex)",
	"func usesLibcall() bool",
	"func usleep(usec uint32)",
	"name GOOS", "name _Gcopystack", "name _Gpreempted", "name _Grunnable", "name _Grunning", "name _Gscan",
	"name _Gsyscall", "name _Gwaiting", "name argslice", "name cgo_yield", "name cpuprof", "name debug", "name envs",
	"name execLock", "name fing", "name maxCPUProfStack", "name memstats", "name pendingPreemptSignals",
	"name profBufNonBlocking", "name sched", "name sigPreempt", "name unwindJumpStack", "name unwindSilentErrors",
	"name unwindTrap", "name usesLR", "name waitReasonStrings",
	"type g", "type m", "type pthread", "type sigctxt", "type siginfo", "type unwinder",
	"import internal/abi", "import internal/goarch", "import internal/runtime/atomic", "import internal/runtime/syscall/linux",
	"cpuProfile.lock", "cpuProfile.log", "g.asyncSafePoint", "g.goid", "g.lockedm", "g.m", "g.runningCleanups",
	"g.sched", "g.stack", "g.syncSafePoint", "g.syscallbp", "g.syscallpc", "g.syscallsp", "g.waitreason", "gobuf.bp",
	"gobuf.lr", "gobuf.pc", "gobuf.sp", "m.curg", "m.libcallg", "m.libcallpc", "m.libcallsp", "m.mallocing", "m.ncgo",
	"m.procid", "m.signalPending", "m.vdsoPC", "m.vdsoSP", "mstats.other_sys", "schedt.lock", "schedt.nmsys", "stack.hi",
	"stack.lo",
}

// probesNeeds is what the probes use.
var probesNeeds = []string{
	"func (f funcInfo) valid() bool",
	"func add(p unsafe.Pointer, x uintptr) unsafe.Pointer",
	"func callers(skip int, pcbuf []uintptr) int",
	"func cheaprandn(n uint32) uint32",
	"func closefd(fd int32) int32",
	"func findfunc(pc uintptr) funcInfo",
	"func funcname(f funcInfo) string",
	"func getg() *g",
	"func memclrNoHeapPointers(ptr unsafe.Pointer, n uintptr)",
	"func mmap(addr unsafe.Pointer, n uintptr, prot, flags, fd int32, off uint32) (p unsafe.Pointer, err int)",
	"func mmap(addr unsafe.Pointer, n uintptr, prot, flags, fd int32, off uint32) (unsafe.Pointer, int)",
	"func munmap(addr unsafe.Pointer, n uintptr)",
	"func nanotime() int64",
	"func open(name *byte, mode, perm int32) (ret int32)",
	"func open(name *byte, mode, perm int32) int32",
	"_func.funcID",
	"name envs", "name maxstackceiling", "name maxstacksize", "name physPageSize",
	"type g",
	"import internal/abi", "import internal/runtime/atomic", "import internal/runtime/exithook",
	"import internal/runtime/sys", "import math/bits",
	"g._panic", "g.goid", "g.m", "m.curg",
}

// totalsNeeds is what the totals use.
var totalsNeeds = []string{
	"func ReadMemStats(m *MemStats)",
	"func closefd(fd int32) int32",
	"func mmap(addr unsafe.Pointer, n uintptr, prot, flags, fd int32, off uint32) (p unsafe.Pointer, err int)",
	"func mmap(addr unsafe.Pointer, n uintptr, prot, flags, fd int32, off uint32) (unsafe.Pointer, int)",
	"func munmap(addr unsafe.Pointer, n uintptr)",
	"func nanotime() int64",
	"func open(name *byte, mode, perm int32) (ret int32)",
	"func open(name *byte, mode, perm int32) int32",
	"name envs", "name gomaxprocs", "name work",
	"type MemStats",
	"import internal/goarch", "import internal/runtime/atomic", "import internal/runtime/exithook", "import internal/runtime/syscall/linux",
	"MemStats.Mallocs", "MemStats.NumGC", "MemStats.PauseTotalNs", "MemStats.TotalAlloc", "cpuStats.GCTotalTime", "workType.cpuStats",
}

// allocsNeeds is what the counts of allocations use and edit.
var allocsNeeds = []string{
	"func acquirem() *m",
	"func callers(skip int, pcbuf []uintptr) int",
	"func fpTracebackPCs(fp unsafe.Pointer, pcBuf []uintptr) (i int)",
	"func fpunwindExpand(dst, pcBuf []uintptr) int",
	"func getfp() uintptr",
	"func getg() *g",
	"func (mp *m) hasCgoOnStack() bool",
	"func lock(l *mutex)",
	"func persistentalloc(size, align uintptr, sysStat *sysMemStat) unsafe.Pointer",
	"func postMallocgcDebug(x unsafe.Pointer, elemsize uintptr, typ *_type)",
	"func readmemstats_m(stats *MemStats)",
	"func releasem(mp *m)",
	"func toRType(t *abi.Type) rtype",
	"func (t rtype) string() string",
	"func tracefpunwindoff() bool",
	"func unlock(l *mutex)",
	"name debug", "name logicalStackSentinel", "name memstats",
	"type _type", "type mutex",
	"m.curg", "mstats.other_sys",
}

// checkNeeds returns an error that names the needs that the toolchain does not meet. have is what its package runtime
// declares.
func (t *Toolchain) checkNeeds(have map[string]bool, needs []string) error {
	missing := slices.DeleteFunc(slices.Clone(needs), func(need string) bool {
		if path, ok := strings.CutPrefix(need, "import "); ok {
			return t.hasPackage(t.packagePath(path))
		}
		return have[need]
	})
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("its package runtime has no %s", strings.Join(missing, ", no "))
}

// formerPaths are import paths that older Go versions have for packages with the same declarations.
var formerPaths = map[string]string{
	"internal/runtime/syscall/linux": "internal/runtime/syscall", // before Go 1.26
}

// packagePath returns the import path that a package has in the toolchain.
func (t *Toolchain) packagePath(path string) string {
	if former, ok := formerPaths[path]; ok && !t.hasPackage(path) && t.hasPackage(former) {
		return former
	}
	return path
}

// hasPackage reports whether the toolchain's standard library has a package.
func (t *Toolchain) hasPackage(path string) bool {
	files, err := filepath.Glob(t.src(path + "/*.go"))
	return err == nil && len(files) > 0
}

// adapted returns a text that is added to package runtime with the import paths of the toolchain.
func (t *Toolchain) adapted(text string) string {
	for path := range formerPaths {
		text = strings.ReplaceAll(text, `"`+path+`"`, `"`+t.packagePath(path)+`"`)
	}
	return text
}

// runtimeDecls returns what package runtime declares on any system, in the notation of needs.
func (t *Toolchain) runtimeDecls() (map[string]bool, error) {
	files, err := filepath.Glob(t.src("runtime/*.go"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no files in %s", t.src("runtime"))
	}
	have := map[string]bool{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := t.Overlay.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, withoutBodies(text), parser.SkipObjectResolution)
		if err != nil { // text that gofmt did not write
			f, err = parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
		}
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				have[signature(fn)] = true
			}
			addNames(have, d)
		}
	}
	return have, nil
}

// withoutBodies returns Go text, as gofmt writes it, without the bodies of functions: parsing
// them takes three quarters of the time. For other text the result may not be valid Go.
func withoutBodies(text []byte) []byte {
	out := make([]byte, 0, len(text)/2)
	inside := false
	for line := range bytes.Lines(text) {
		switch {
		case inside:
			inside = line[0] != '}'
			if !inside {
				out = append(out, line...)
			}
		default:
			inside = bytes.HasPrefix(line, []byte("func ")) && bytes.HasSuffix(line, []byte("{\n"))
			out = append(out, line...)
		}
	}
	return out
}

// addNames adds what a declaration declares: "name X" for constants and variables, "type X", and
// "X.field" for the fields of structures.
func addNames(have map[string]bool, d ast.Decl) {
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range g.Specs {
		switch x := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range x.Names {
				have["name "+name.Name] = true
			}
		case *ast.TypeSpec:
			have["type "+x.Name.Name] = true
			st, ok := x.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range st.Fields.List {
				for _, name := range f.Names {
					have[x.Name.Name+"."+name.Name] = true
				}
				if len(f.Names) == 0 { // embedded
					typ := types.ExprString(f.Type)
					have[x.Name.Name+"."+strings.TrimPrefix(typ[strings.LastIndexByte(typ, '.')+1:], "*")] = true
				}
			}
		}
	}
}

// signature returns the first line of a function. go/printer would do the same and add 150 kB to tare.
func signature(fn *ast.FuncDecl) string {
	head := "func "
	if fn.Recv != nil {
		r := fn.Recv.List[0]
		head += "("
		for _, name := range r.Names {
			head += name.Name + " "
		}
		head += types.ExprString(r.Type) + ") "
	}
	return head + fn.Name.Name + strings.TrimPrefix(types.ExprString(fn.Type), "func")
}

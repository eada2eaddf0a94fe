// Package runtime gets this file and its neighbours tare_totals_*.go for one build, by package toolchain. When the program
// ends, by the return of main or by os.Exit, they write what it has used since it began to a mapped file. They do nothing
// unless TARE_TOTALS is set, to the path of the file, and nothing between start and end. The variable is removed from the
// environment. Ends that run no exit hooks write nothing: a signal, a panic, syscall.Exit.
//
// The file is an array of words of 64 bits: a header of tareTotalsHeader words, then tareTotalsThread words for each thread.
package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/exithook"
	"unsafe"
)

// Words of the header.
const (
	tareTotalsMagic   = iota // "taresums"
	tareTotalsClaimed        // 1 when a process has begun to use the file
	tareTotalsLength         // bytes of the file
	tareTotalsEnded          // 1 when all else is written
	tareTotalsBytes          // allocated on the heap, including those freed since
	tareTotalsObjects        // allocated on the heap, including those freed since
	tareTotalsCycles         // garbage collections that have ended
	tareTotalsGC             // CPU time of the garbage collector, ns, the runtime's estimate when the last cycle ended
	tareTotalsPause          // time in which collections had stopped the world, ns
	tareTotalsProcs          // GOMAXPROCS
	tareTotalsCost           // what this part has taken at the start and at the end, ns
	tareTotalsThreads        // threads that are written
	tareTotalsMissing        // threads without room in the file
	tareTotalsErrno          // error of reading threads; tareTotalsNoThreads: this system has no such files
	tareTotalsHeader
)

// Words of a thread.
const (
	tareTotalsID   = iota
	tareTotalsCPU  // ns, exact
	tareTotalsUser // kernel ticks
	tareTotalsSys
	tareTotalsThread
)

const tareTotalsNoThreads = ^uint64(0)

var tareTotals struct {
	words *[tareTotalsHeader]uint64 // of the file
	size  uintptr
	begun int64    // ns that the start took
	stats MemStats // not on the heap, so that it is not counted
}

// Package runtime is initialised before all others.
func init() {
	path := tareForget("TARE_TOTALS")
	if path == "" {
		return
	}
	start := nanotime()
	if !tareTotalsOpen(path) {
		return
	}
	exithook.Add(exithook.Hook{F: tareTotalsEnd, RunOnFailure: true}) // the first that is added is the last that runs
	tareTotals.begun = nanotime() - start
}

// tareTotalsOpen maps the file. It fails if another process has it: a program may start itself.
func tareTotalsOpen(path string) bool {
	const readWrite, shared, readWriteOpen = 3, 1, 2
	var name [1024]byte
	if len(path) >= len(name) {
		return false
	}
	copy(name[:], path)
	fd := open(&name[0], readWriteOpen, 0)
	if fd < 0 {
		return false
	}
	head, err := mmap(nil, tareTotalsHeader*8, readWrite, shared, fd, 0)
	if err == 0 {
		words := (*[tareTotalsHeader]uint64)(head)
		size := uintptr(words[tareTotalsLength])
		if size >= tareTotalsHeader*8 && atomic.Cas64(&words[tareTotalsClaimed], 0, 1) {
			if all, err := mmap(nil, size, readWrite, shared, fd, 0); err == 0 {
				tareTotals.words, tareTotals.size = (*[tareTotalsHeader]uint64)(all), size
			}
		}
		munmap(head, tareTotalsHeader*8)
	}
	closefd(fd)
	return tareTotals.words != nil
}

// tareTotalsEnd writes the figures. ReadMemStats stops the world, which makes counts exact.
func tareTotalsEnd() {
	start := nanotime()
	w := tareTotals.words
	ReadMemStats(&tareTotals.stats)
	w[tareTotalsBytes] = tareTotals.stats.TotalAlloc
	w[tareTotalsObjects] = tareTotals.stats.Mallocs
	w[tareTotalsCycles] = uint64(tareTotals.stats.NumGC)
	w[tareTotalsPause] = tareTotals.stats.PauseTotalNs
	w[tareTotalsGC] = uint64(work.cpuStats.GCTotalTime)
	w[tareTotalsProcs] = uint64(gomaxprocs)
	tareTotalsReadThreads()
	w[tareTotalsCost] = uint64(tareTotals.begun + nanotime() - start)
	atomic.Store64(&w[tareTotalsEnded], 1)
}

// tareTotalsAdd writes a thread.
func tareTotalsAdd(id, cpu, user, sys uint64) {
	w := tareTotals.words
	at := (tareTotalsHeader + uintptr(w[tareTotalsThreads])*tareTotalsThread) * 8
	if at+tareTotalsThread*8 > tareTotals.size {
		w[tareTotalsMissing]++
		return
	}
	*(*[tareTotalsThread]uint64)(unsafe.Pointer(uintptr(unsafe.Pointer(w)) + at)) = [tareTotalsThread]uint64{id, cpu, user, sys}
	w[tareTotalsThreads]++
}

package testing

import (
	"context"
	"os"
	"path/filepath"
	"runtime/trace"
	"strconv"
	"sync"
	"syscall"
)

// tareSched writes the execution trace of each run, from the start of the timer on, to
// a file of the directory in TARE_SCHED: of an iteration, the file of its last run stays.
// In the trace are two log events, of category tareSchedLog, where the window begins and
// ends, each with the CPU time of the process so far in ns.
var tareSched = tarePart{process: tareSchedProcess, before: tareSchedStop, begin: tareSchedBegin, end: tareSchedEnd, after: tareSchedStop}

const (
	tareSchedLog   = "tare"
	tareSchedMost  = 64 << 20 // bytes of a trace at which it is stopped
	tareSchedAgain = 1 << 20  // bytes: with less of the set-up in it, a trace is not begun again
)

// Benchmarks run one after the other.
var (
	tareSchedDir  string // "": no traces
	tareSchedFile *tareSchedWriter
)

func tareSchedProcess() { tareSchedDir = os.Getenv("TARE_SCHED") }

// tareSchedWriter is where the tracer writes to, from a goroutine of its own.
type tareSchedWriter struct {
	mu   sync.Mutex
	f    *os.File
	n    int64
	full bool
	stop sync.WaitGroup // the tracer is stopped, because the trace is full
	err  error
}

func (w *tareSchedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.n += int64(len(p)); w.n > tareSchedMost && !w.full {
		w.full = true
		w.stop.Go(trace.Stop) // what is in buffers is still written
	}
	if w.err == nil {
		_, w.err = w.f.Write(p)
	}
	return len(p), nil
}

func (w *tareSchedWriter) size() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.n
}

// tareSchedBegin may be called again in a run, when the timer is set to zero: what was
// traced until then is set-up.
func tareSchedBegin(b *B) {
	if tareSchedDir == "" {
		return
	}
	if tareSchedFile != nil && tareSchedFile.size() > tareSchedAgain {
		tareSchedStop(b)
	}
	if tareSchedFile == nil {
		tareSchedStart(b)
	}
	tareSchedMark("begin")
}

func tareSchedStart(b *B) {
	name := filepath.Join(tareSchedDir, strconv.Itoa(b.tare.iter)+".trace")
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		tareSchedFail(err)
		return
	}
	w := &tareSchedWriter{f: f}
	if err := trace.Start(w); err != nil { // the program traces itself
		f.Close()
		os.Remove(name)
		tareSchedFail(err)
		return
	}
	tareSchedFile = w
}

func tareSchedMark(ev string) {
	if tareSchedFile == nil {
		return
	}
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	trace.Log(context.Background(), tareSchedLog, ev+" "+strconv.FormatInt(u.Utime.Nano()+u.Stime.Nano(), 10))
}

func tareSchedEnd(*B) { tareSchedMark("end") }

// tareSchedStop returns when the trace is written, if there is one: after a run, and
// before one, because a benchmark with sub-benchmarks has begun a run, too.
func tareSchedStop(*B) {
	w := tareSchedFile
	if w == nil {
		return
	}
	tareSchedFile = nil
	trace.Stop()
	w.stop.Wait() // otherwise it would stop the next trace
	err := w.f.Close()
	if w.err == nil {
		w.err = err
	}
	if w.err != nil {
		tareSchedFail(w.err)
	}
}

// tareSchedFail writes the reason of a failure to a file for the part in the parent.
func tareSchedFail(err error) {
	os.WriteFile(filepath.Join(tareSchedDir, "why"), []byte(err.Error()), 0o600)
}

package sched

import (
	"strings"

	"golang.org/x/exp/trace"

	"github.com/tarebench/tare/record"
)

// reasons are the causes of waiting by the tracer's word for it. "sync", any semaphore of the runtime, is divided by
// the stack.
var reasons = map[string]string{
	"chan send":                    record.WaitSend,
	"chan receive":                 record.WaitReceive,
	"select":                       record.WaitSelect,
	"network":                      record.WaitNetwork,
	"sleep":                        record.WaitSleep,
	"sync.(*Cond).Wait":            record.WaitCond,
	"GC mark assist wait for work": record.WaitGC,
	"GC background sweeper wait":   record.WaitGC,
	"GC weak to strong wait":       record.WaitGC,
	"wait until GC ends":           record.WaitGC,
	"preempted":                    record.WaitGC, // the collector scans its stack
	"wait for debug call":          record.WaitOther,
	"forever":                      record.WaitOther,
	"synctest":                     record.WaitOther,
	"system goroutine wait":        record.WaitOther,
}

// causeOf returns what a goroutine waits for, from the tracer's reason and the goroutine's stack. If the wait began before
// the trace, there is no reason, and not always a stack.
func causeOf(reason string, s trace.Stack) string {
	if cause, ok := reasons[reason]; ok {
		return cause
	}
	for f := range s.Frames() {
		if cause := causeOfFunc(f.Func); cause != "" {
			return cause
		}
		if !isLibrary(f.Func) {
			break
		}
	}
	return record.WaitOther
}

// causeOfFunc returns what callers of a function of the library wait for, "" if the function does not tell.
func causeOfFunc(name string) string {
	switch {
	case name == "sync.(*WaitGroup).Wait":
		return record.WaitWaitGroup
	case name == "sync.(*Cond).Wait":
		return record.WaitCond
	case name == "time.Sleep":
		return record.WaitSleep
	case strings.HasPrefix(name, "runtime.chansend"):
		return record.WaitSend
	case strings.HasPrefix(name, "runtime.chanrecv"):
		return record.WaitReceive
	case name == "runtime.selectgo", name == "runtime.block":
		return record.WaitSelect
	case strings.HasPrefix(name, "internal/poll.runtime_pollWait"), strings.HasPrefix(name, "internal/poll.(*pollDesc)"):
		return record.WaitNetwork
	case strings.HasPrefix(name, "sync.(*Mutex)."), strings.HasPrefix(name, "sync.(*RWMutex)."),
		strings.HasPrefix(name, "internal/sync.(*Mutex)."), strings.HasPrefix(name, "internal/poll.(*fdMutex)."):
		return record.WaitLock
	}
	for _, prefix := range []string{"GC", "gcStart", "gcMarkDone", "gcAssist", "gcParkAssist", "gcWaitOnMark"} {
		if strings.HasPrefix(name, "runtime."+prefix) {
			return record.WaitGC
		}
	}
	return ""
}

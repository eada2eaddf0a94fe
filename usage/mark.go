package usage

import (
	"reflect"
	"runtime"
	"sync/atomic"
)

// A worker runs its tasks below functions that do nothing but tell which worker it is: markWorker, and then mark0 or mark1 for
// each bit of its mark, the lowest first. So its mark is in every stack of a task. The highest bit is 1.

// marks is the last mark that was given to a worker.
var marks atomic.Uint64

// newMark returns a mark that no other worker has had.
func newMark() uint64 { return marks.Add(1) }

//go:noinline
func markWorker(mark uint64, j job) { nextMark(mark, j) }

//go:noinline
func mark0(rest uint64, j job) { nextMark(rest, j) }

//go:noinline
func mark1(rest uint64, j job) { nextMark(rest, j) }

func nextMark(rest uint64, j job) {
	switch {
	case rest == 0:
		j.run()
	case rest&1 == 0:
		mark0(rest>>1, j)
	default:
		mark1(rest>>1, j)
	}
}

// run runs the tasks.
func (j job) run() {
	if j.task != nil {
		j.task()
		return
	}
	for k := range j.n {
		j.each(k)
	}
}

var markWorkerName, mark0Name, mark1Name, nextMarkName = nameOf(markWorker), nameOf(mark0), nameOf(mark1), nameOf(nextMark)

// nameOf returns the full name of a function.
func nameOf(f any) string { return runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name() }

// markOf returns the mark in a stack of return addresses, innermost first; 0 if it has none.
func markOf(stack []uintptr) (mark uint64) {
	begun, bit := false, 0
	for i := len(stack) - 1; i >= 0; i-- {
		f := runtime.FuncForPC(stack[i] - 1)
		if f == nil {
			continue
		}
		switch name := f.Name(); {
		case !begun:
			begun = name == markWorkerName
		case name == mark0Name:
			bit++
		case name == mark1Name:
			mark |= 1 << bit
			bit++
		case name != nextMarkName:
			return mark
		}
	}
	return mark
}

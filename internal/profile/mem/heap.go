package mem

import (
	"errors"
	"runtime"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// HeapForks is the number of forks that [Heap] needs: what occupies a heap differs little between forks, and sampling
// it is slow.
const HeapForks = 3

// Heap returns the profiler "heap": what occupies the heap, by allocation site and type. It does not share forks with
// [Profiler], because frequent sampling takes memory. work is as for Profiler.
func Heap(work string) interface {
	profiler.Interpreter
	profiler.Builder
} {
	return &heapProfiler{builder{name: record.AttachHeap, work: work}}
}

type heapProfiler struct{ builder }

func (*heapProfiler) Name() string { return record.AttachHeap }
func (*heapProfiler) Needs() profiler.Needs {
	return profiler.Needs{OwnForks: true, Hooks: true, Slowdown: 4}
}

func (*heapProfiler) Available() error {
	if runtime.GOOS == "windows" {
		return errors.New("package testing cannot have hooks on windows")
	}
	return nil
}

// Interpret joins the pieces that the part in the process has attached. It returns a [record.Heap] and a profile for
// pprof.
func (*heapProfiler) Interpret(binary string, said []*record.Attach) ([]record.Line, error) {
	s, err := joinPieces(said)
	if err != nil {
		return nil, err
	}
	s.nameTypes(binary)
	iter := said[0].Iter
	data, err := s.heap()
	if err != nil {
		return nil, err
	}
	profile, err := s.pprof()
	if err != nil {
		return nil, err
	}
	return []record.Line{
		&record.Attach{Iter: iter, Name: record.AttachHeap, Media: "application/json", Data: data},
		&record.Attach{Iter: iter, Name: record.AttachHeapProfile, Media: "application/gzip", Data: profile},
	}, nil
}

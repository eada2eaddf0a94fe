package mem

import (
	"errors"
	"runtime"

	"github.com/tarebench/tare/internal/profiler"
	"github.com/tarebench/tare/record"
)

// HeapForks is how many forks [Heap] needs: what occupies a heap differs little
// from fork to fork, and to sample it is slow.
const HeapForks = 3

// Heap returns the profiler "heap": what occupies the heap, by where it was
// allocated and by type. It has forks apart from those of [Profiler], because
// sampling so often takes memory of its own.
func Heap() profiler.Interpreter { return heapProfiler{} }

type heapProfiler struct{}

func (heapProfiler) Name() string          { return record.AttachHeap }
func (heapProfiler) Needs() profiler.Needs { return profiler.Needs{Forks: true, Deep: true, Slow: 4} }

func (heapProfiler) Probe() error {
	if runtime.GOOS == "windows" {
		return errors.New("package testing cannot have hooks on windows")
	}
	return nil
}

// Interpret puts the pieces together that the half in the process has said. The
// record gets a [record.Heap], and a profile for pprof.
func (heapProfiler) Interpret(binary string, said []*record.Attach) ([]record.Line, error) {
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

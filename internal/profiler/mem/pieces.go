package mem

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/tarebench/tare/record"
)

// sampled is what the half in the measured process has said: stacks with sampled
// objects. See internal/toolchain/_testing/parts/heap.go, which writes it.
type sampled struct {
	How    string `json:"how"`    // record.HeapInLoop …
	Rate   int    `json:"rate"`   // of sampling, bytes
	Growth int64  `json:"growth"` // of the live heap, bytes

	Anchor string `json:"anchor"` // a function
	At     uint64 `json:"at"`     // and its address in the process

	Told          int     `json:"told"`   // stacks in all pieces
	Others        int     `json:"others"` // stacks that are not told of
	OthersObjects float64 `json:"others_objects"`
	OthersBytes   float64 `json:"others_bytes"`

	Stacks []stack `json:"stacks"`

	noTypes error // why no stack has a type
}

// stack is where sampled objects of one size were allocated.
type stack struct {
	Sampled int64   `json:"o"`     // objects
	Size    int64   `json:"s"`     // of each, bytes
	Via     string  `json:"via"`   // the function of the runtime that the first frame called
	Entry   uint64  `json:"entry"` // of the function that holds the first frame's code, in the process
	Ret     uint64  `json:"ret"`   // address behind the call
	Frames  []frame `json:"f"`     // from the site to the benchmark's function

	typ string // name of the type, "" if it is not known
}

// frame is a function that was called, or inlined.
type frame struct {
	Func string `json:"n"`
	File string `json:"p"`
	Line int    `json:"l"`
}

// errPieces says that the pieces are not what tare's own half says: somebody else
// wrote to the pipe, or some were lost.
var errPieces = errors.New("what its half in the process said makes no sense")

// joinPieces makes one of the pieces. The first has what is said once.
func joinPieces(said []*record.Attach) (*sampled, error) {
	var all sampled
	for i, a := range said {
		var s sampled
		if err := json.Unmarshal(a.Data, &s); err != nil {
			return nil, fmt.Errorf("%w: piece %d: %w", errPieces, i+1, err)
		}
		if (i == 0) != (s.Rate > 0) {
			return nil, fmt.Errorf("%w: piece %d of %d is out of order", errPieces, i+1, len(said))
		}
		if i == 0 {
			all = s
			continue
		}
		all.Stacks = append(all.Stacks, s.Stacks...)
	}
	if err := all.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", errPieces, err)
	}
	return &all, nil
}

func (s *sampled) check() error {
	if len(s.Stacks) != s.Told {
		return fmt.Errorf("%d of %d stacks came", len(s.Stacks), s.Told)
	}
	if s.How != record.HeapInLoop && s.How != record.HeapMidRun {
		return fmt.Errorf("taken when it was %.20q", s.How)
	}
	const most = 1 << 50 // bytes, and objects
	for i, x := range s.Stacks {
		if x.Sampled < 1 || x.Size < 1 || x.Sampled > most || x.Size > most || len(x.Frames) == 0 {
			return fmt.Errorf("stack %d: %d objects of %d bytes, %d frames", i+1, x.Sampled, x.Size, len(x.Frames))
		}
	}
	if !(s.OthersBytes >= 0 && s.OthersBytes <= most && s.OthersObjects >= 0 && s.OthersObjects <= most) {
		return fmt.Errorf("other stacks have %g objects, %g bytes", s.OthersObjects, s.OthersBytes)
	}
	return nil
}

// estimate is what the samples of a stack stand for. The runtime samples a byte in
// every rate as a Poisson process, so that an object of size s is seen with
// probability p = 1 − exp(−s/rate), and n seen ones stand for n/p; the number seen
// is binomial, which gives the variance n·(1−p)/p² of the objects. So does pprof
// scale (runtime/pprof, scaleHeapSample); it has no variance.
func (s *sampled) estimate(x *stack) (objects, bytes, variance float64) {
	p := -math.Expm1(-float64(x.Size) / float64(s.Rate))
	n, size := float64(x.Sampled), float64(x.Size)
	objects = n / p
	return objects, objects * size, n * (1 - p) / (p * p) * size * size
}

package mem

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/tarebench/tare/record"
)

// heapSamples is what the part in the measured process has attached: stacks with sampled objects. It is written by
// internal/golang/toolchain/_testing/parts/heap.go.
type heapSamples struct {
	How    string `json:"how"`    // record.HeapInLoop …
	Rate   int    `json:"rate"`   // of sampling, bytes
	Growth int64  `json:"growth"` // of the live heap, bytes

	Anchor string `json:"anchor"` // a function
	At     uint64 `json:"at"`     // and its address in the process

	Total         int     `json:"told"`   // stacks in all pieces
	Others        int     `json:"others"` // stacks that were not sent
	OthersObjects float64 `json:"others_objects"`
	OthersBytes   float64 `json:"others_bytes"`

	Stacks []stack `json:"stacks"`

	noTypes error // why no stack has a type
}

// stack is where sampled objects of one size were allocated.
type stack struct {
	Sampled int64   `json:"o"`     // objects
	Size    int64   `json:"s"`     // of each, bytes
	Via     string  `json:"via"`   // the runtime function called by the first frame
	Entry   uint64  `json:"entry"` // of the function with the first frame's code, in the process
	Ret     uint64  `json:"ret"`   // address after the call
	Frames  []frame `json:"f"`     // from the site to the benchmark's function

	typ string // name of the type; "": unknown
}

// frame is a called or inlined function.
type frame struct {
	Func string `json:"n"`
	File string `json:"p"`
	Line int    `json:"l"`
}

// errAttachment is the error for pieces that tare's own part cannot have sent: another writer used the pipe, or some
// were lost.
var errAttachment = errors.New("invalid data from the measured process")

// joinPieces joins the pieces. Only the first has the header.
func joinPieces(said []*record.Attach) (*heapSamples, error) {
	var all heapSamples
	for i, a := range said {
		var s heapSamples
		if err := json.Unmarshal(a.Data, &s); err != nil {
			return nil, fmt.Errorf("%w: piece %d: %w", errAttachment, i+1, err)
		}
		if (i == 0) != (s.Rate > 0) {
			return nil, fmt.Errorf("%w: piece %d of %d is out of order", errAttachment, i+1, len(said))
		}
		if i == 0 {
			all = s
			continue
		}
		all.Stacks = append(all.Stacks, s.Stacks...)
	}
	if err := all.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", errAttachment, err)
	}
	return &all, nil
}

func (s *heapSamples) check() error {
	if len(s.Stacks) != s.Total {
		return fmt.Errorf("%d of %d stacks came", len(s.Stacks), s.Total)
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

// estimate returns what the samples of a stack stand for. The runtime samples one byte in rate as a Poisson process,
// so an object of size s is sampled with probability p = 1 − exp(−s/rate), and n sampled ones stand for n/p. Their
// number is binomial, so the variance of the objects is n·(1−p)/p². pprof scales in the same way (runtime/pprof,
// scaleHeapSample) but has no variance.
func (s *heapSamples) estimate(x *stack) (objects, bytes, variance float64) {
	p := -math.Expm1(-float64(x.Size) / float64(s.Rate))
	n, size := float64(x.Sampled), float64(x.Size)
	objects = n / p
	return objects, objects * size, n * (1 - p) / (p * p) * size * size
}

package compiler

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// Name is the name of the profiler.
const Name = "compiler"

// Profiler returns the profiler. It observes no fork: it is a [profiler.Inspector].
func Profiler() profiler.Inspector { return notes{} }

type notes struct{}

func (notes) Name() string          { return Name }
func (notes) Available() error      { return nil }
func (notes) Needs() profiler.Needs { return profiler.Needs{} }

// Inspect returns the notes on a test binary.
func (notes) Inspect(ctx context.Context, b profiler.Inspected) ([]*record.Attach, error) {
	if len(b.Files) == 0 {
		return nil, errors.New("the package has no test files")
	}
	c, err := Notes(ctx, Site{Dir: b.Dir, Flags: b.Flags, Env: b.Env, Pkg: b.Pkg, Binary: b.Binary, Benchmarks: b.Benchmarks})
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	return []*record.Attach{{Name: record.AttachCompiler, Media: "application/json", Data: data}}, nil
}

package arrays_test

import (
	"testing"

	"github.com/tarebench/tare/bench"
	"github.com/tarebench/tare/suites/arrays"
)

type params struct {
	Size     int // in bytes
	Op, Type string
}

func BenchmarkArrays(b *testing.B) {
	bench.Params(b, nil, func(b *testing.B, p params) {
		if why := arrays.Missing(p.Op, p.Type); why != "" {
			b.Skip(why)
		}
		s, ok := arrays.Find(p.Op, p.Type)
		if !ok {
			b.Fatalf("no %s of %s", p.Op, p.Type)
		}
		run, right := s.New(p.Size)
		b.SetBytes(int64(p.Size))
		b.ResetTimer()
		run(b.N)
		b.StopTimer()
		if !right() {
			b.Fatalf("%s of %s: the slice holds something else", p.Op, p.Type)
		}
	}, bench.P("size", list(arrays.Sizes())...), bench.P("op", list(arrays.Ops())...), bench.P("type", list(arrays.Types())...))
}

func list[T any](values []T) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

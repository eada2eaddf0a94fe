package result

import (
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// sized is a benchmark's name seen as that of one size.
type sized struct {
	rest  string // the name with * for the size
	side  string // of the benchmark, unless that is the size
	key   string
	value string
	n     float64
}

// sizesOf returns the sizes of a benchmark. Of commands, all parameters are: also where their values are the sides.
func (b *Builder) sizesOf(r *Benchmark) []sized {
	command := record.KindOf(b.run) == record.KindTime
	name, side := r.Name, r.Side
	if command && !strings.Contains(name, "/") && strings.Contains(side, "=") {
		name, side = name+"/"+side, ""
	}
	out := sizesIn(name, command)
	for i := range out {
		out[i].side = side
	}
	return out
}

// sizesIn returns the parameters of a benchmark's name that have a number as value: those that are called n or size, in any
// case, or all.
func sizesIn(name string, all bool) []sized {
	parts := strings.Split(name, "/")
	var out []sized
	for i, part := range parts[1:] {
		key, value, ok := strings.Cut(part, "=")
		if !ok || !all && !strings.EqualFold(key, "n") && !strings.EqualFold(key, "size") {
			continue
		}
		if n, ok := units.ParseSize(value); ok {
			rest := strings.Join(parts[:i+1], "/") + "/" + key + "=*"
			if more := parts[i+2:]; len(more) > 0 {
				rest += "/" + strings.Join(more, "/")
			}
			out = append(out, sized{rest: rest, key: key, value: value, n: n})
		}
	}
	return out
}

package result

import (
	"strings"

	"github.com/tarebench/tare/internal/units"
)

// sized is a benchmark's name seen as that of one size.
type sized struct {
	rest  string // the name with * for the size
	key   string
	value string
	n     float64
}

// sizesOf returns the parameters of a benchmark's name that are called n or size, in any case, and have a number
// as value.
func sizesOf(name string) []sized {
	parts := strings.Split(name, "/")
	var out []sized
	for i, part := range parts[1:] {
		key, value, ok := strings.Cut(part, "=")
		if !ok || !strings.EqualFold(key, "n") && !strings.EqualFold(key, "size") {
			continue
		}
		if n, ok := units.ParseSize(value); ok {
			rest := strings.Join(parts[:i+1], "/") + "/" + key + "=*"
			if more := parts[i+2:]; len(more) > 0 {
				rest += "/" + strings.Join(more, "/")
			}
			out = append(out, sized{rest, key, value, n})
		}
	}
	return out
}

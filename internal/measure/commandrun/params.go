package commandrun

import (
	"strings"

	"github.com/tarebench/tare/internal/measure/job"
)

// choice is a value of each parameter, in the order of the parameters.
type choice []struct{ name, value string }

// choices returns all combinations of the values, the last parameter changing fastest; without parameters an empty one.
func choices(params []job.Param) []choice {
	out := []choice{nil}
	for _, p := range params {
		var next []choice
		for _, c := range out {
			for _, v := range p.Values {
				next = append(next, append(c[:len(c):len(c)], struct{ name, value string }{p.Name, v}))
			}
		}
		out = next
	}
	return out
}

// in returns words with the values in place of {name}.
func (c choice) in(words []string) []string {
	var pairs []string
	for _, x := range c {
		pairs = append(pairs, "{"+x.name+"}", x.value)
	}
	r := strings.NewReplacer(pairs...)
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = r.Replace(w)
	}
	return out
}

// name returns the values as they are in names of benchmarks: "n=1/level=9".
func (c choice) name() string {
	var parts []string
	for _, x := range c {
		parts = append(parts, x.name+"="+x.value)
	}
	return strings.Join(parts, "/")
}

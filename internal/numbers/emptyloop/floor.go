package emptyloop

import (
	"fmt"
	"slices"

	"github.com/tarebench/tare/record"
)

// mostSpread limits how much slower than the quickest empty loop of a form the slowest is believed to be: by address it
// is a factor of two. With -race the two ways of writing b.N differ by more.
const mostSpread = 2.2

// Floor is the least that an operation can take.
type Floor struct {
	Lo, Hi   float64 // an empty loop at a good and at a bad address, ns; 0: not known
	First    float64 // a loop of one operation, ns; 0: not known
	Measured bool    // with the toolchain and the build settings of the benchmark
	Body     bool    // of an empty body of package bench, not of a loop over b.N or the like
}

// of returns what the floor was measured with.
func (f Floor) of() string {
	if f.Body {
		return EmptyBody
	}
	return EmptyLoop
}

// FloorOf returns the floor of a benchmark whose loop has one of some forms, at a GOMAXPROCS. Where the form is not
// certain it is that of the quickest one.
func FloorOf(loops []record.EmptyLoop, forms []string, procs int) Floor {
	var out Floor
	for _, l := range loops {
		if l.Procs != procs || len(forms) > 0 && !slices.Contains(forms, l.Form) || out.Measured && l.Min >= out.Lo {
			continue
		}
		out = Floor{Lo: l.Min, Hi: min(l.Max, mostSpread*l.Min), First: l.First, Measured: true}
	}
	return out
}

// String returns the range of the floor: "0.27 … 0.54 ns/op, by address".
func (f Floor) String() string {
	if f.Hi < 1.1*f.Lo {
		return fmt.Sprintf("%.2g ns/op", f.Hi)
	}
	return fmt.Sprintf("%.2g … %.2g ns/op, by address", f.Lo, f.Hi)
}

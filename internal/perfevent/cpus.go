package perfevent

import (
	"fmt"
	"strconv"
	"strings"
)

// mostCPUs is more than Linux can have, so that a damaged list cannot ask for all memory.
const mostCPUs = 1 << 16

// parseCPUs understands a list of processors as /sys has it: "0-3,5".
func parseCPUs(s string) ([]int, error) {
	var out []int
	for part := range strings.SplitSeq(strings.TrimSpace(s), ",") {
		first, last, isRange := strings.Cut(part, "-")
		lo, err := strconv.ParseUint(first, 10, 31)
		hi := lo
		if err == nil && isRange {
			hi, err = strconv.ParseUint(last, 10, 31)
		}
		if err != nil || hi < lo || len(out)+int(hi-lo) >= mostCPUs {
			return nil, fmt.Errorf("perfevent: %q is no list of processors", s)
		}
		for n := lo; n <= hi; n++ {
			out = append(out, int(n))
		}
	}
	return out, nil
}

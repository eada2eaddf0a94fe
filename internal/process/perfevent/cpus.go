package perfevent

import (
	"fmt"
	"strconv"
	"strings"
)

// maxCPUs exceeds what Linux supports. It keeps a damaged list from allocating all memory.
const maxCPUs = 1 << 16

// parseCPUs parses a list of processors in the format of /sys: "0-3,5".
func parseCPUs(s string) ([]int, error) {
	var out []int
	for part := range strings.SplitSeq(strings.TrimSpace(s), ",") {
		first, last, isRange := strings.Cut(part, "-")
		lo, err := strconv.ParseUint(first, 10, 31)
		hi := lo
		if err == nil && isRange {
			hi, err = strconv.ParseUint(last, 10, 31)
		}
		if err != nil || hi < lo || len(out)+int(hi-lo) >= maxCPUs {
			return nil, fmt.Errorf("perfevent: %q is not a list of processors", s)
		}
		for n := lo; n <= hi; n++ {
			out = append(out, int(n))
		}
	}
	return out, nil
}

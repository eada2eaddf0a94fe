package env

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// cpus holds the numbers of CPUs in the machine and of those that we may use.
type cpus struct {
	online int
	usable int // online and allowed by our affinity, which includes cpusets
}

// cpus counts the CPUs. If the files are missing, both numbers are runtime.NumCPU, which respects the affinity
// on Linux and is the number of CPUs elsewhere.
func (h host) cpus() cpus {
	online, err := parseCPUList(h.get("sys/devices/system/cpu/online"))
	if err != nil || len(online) == 0 {
		return cpus{runtime.NumCPU(), runtime.NumCPU()}
	}
	allowed, err := parseCPUList(statusField(h.get("proc/self/status"), "Cpus_allowed_list"))
	if err != nil {
		return cpus{len(online), len(online)}
	}
	// The list of allowed CPUs may contain some that the machine does not have.
	usable := 0
	for _, c := range allowed {
		if _, ok := slices.BinarySearch(online, c); ok {
			usable++
		}
	}
	if usable == 0 {
		usable = len(online)
	}
	return cpus{len(online), usable}
}

// statusField returns a field of /proc/self/status, "" if there is none.
func statusField(text, name string) string {
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && key == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// maxCPU is beyond any kernel's NR_CPUS; a larger number is garbage.
const maxCPU = 1 << 14

// parseCPUList reads the kernel's list format, "0-3,8", into sorted numbers.
func parseCPUList(s string) ([]int, error) {
	var all []int
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, fmt.Errorf("empty list of CPUs")
	}
	for part := range strings.SplitSeq(s, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, err1 := strconv.ParseUint(from, 10, 32)
		b, err2 := strconv.ParseUint(to, 10, 32)
		if err1 != nil || err2 != nil || b < a || b >= maxCPU {
			return nil, fmt.Errorf("list of CPUs %s is malformed", quoted(s))
		}
		for c := a; c <= b; c++ {
			all = append(all, int(c))
		}
		if len(all) > 2*maxCPU {
			return nil, fmt.Errorf("list of CPUs %s is malformed", quoted(s))
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

package env

import (
	"path"
	"strconv"
	"strings"
	"time"
)

// Throttle reads how long the control groups of this process were stopped because they had used up their CPU quota.
type Throttle struct {
	h     host
	files []string
}

// OpenThrottle returns nil if no group of this process has a CPU quota, or the system has no control groups.
func OpenThrottle() *Throttle { return thisHost().throttle() }

func (h host) throttle() *Throttle {
	t := &Throttle{h: h}
	for _, dir := range parseCgroup(h.get("proc/self/cgroup")).dirs("cpu", parseMounts(h.get("proc/self/mountinfo"))) {
		if q, _ := h.quota(dir); q > 0 {
			t.files = append(t.files, path.Join(dir, "cpu.stat"))
		}
	}
	if len(t.files) == 0 {
		return nil
	}
	return t
}

// Read returns the time since the groups were made, summed over the processors on which they were stopped. Of several
// groups with a quota it returns the longest time. Nil returns 0.
func (t *Throttle) Read() time.Duration {
	if t == nil {
		return 0
	}
	var longest time.Duration
	for _, f := range t.files {
		longest = max(longest, parseThrottled(t.h.get(f)))
	}
	return longest
}

// parseThrottled reads cpu.stat of a control group: throttled_usec in version 2, throttled_time in ns in version 1.
func parseThrottled(text string) time.Duration {
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		unit, known := map[string]time.Duration{"throttled_usec": time.Microsecond, "throttled_time": 1}[f[0]]
		n, err := strconv.ParseInt(f[1], 10, 64)
		if known && err == nil && n >= 0 && n <= int64(1<<62/unit) {
			return time.Duration(n) * unit
		}
	}
	return 0
}

package clock

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// noCounter returns why the time-stamp counter is no clock on this machine, or "" if
// it is one.
//
// The kernel's clock source decides: Linux compares the counters of all processors
// with each other and with other clocks, at boot and later, and uses them for time
// only if they agree. The processor's flags must also say that the counter has one
// rate at all frequencies and runs in deep sleep.
func noCounter() (why string) {
	if why := counterForbidden(); why != "" {
		return why
	}
	source, err := os.ReadFile("/sys/devices/system/clocksource/clocksource0/current_clocksource")
	if err != nil {
		return fmt.Sprintf("the kernel's clock source is not known: %v", err)
	}
	if s := strings.TrimSpace(string(source)); s != "tsc" {
		return fmt.Sprintf("the kernel keeps time by %q, not by the tsc", s)
	}
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return fmt.Sprintf("the processor's flags are not known: %v", err)
	}
	defer f.Close()
	return missingFlag(f)
}

// counterForbidden reports whether RDTSC would kill this process (PR_SET_TSC).
func counterForbidden() (why string) {
	var state int32
	if err := unix.Prctl(unix.PR_GET_TSC, uintptr(unsafe.Pointer(&state)), 0, 0, 0); err != nil {
		return fmt.Sprintf("whether the tsc may be read is not known: %v", err)
	}
	if state != unix.PR_TSC_ENABLE {
		return "this process is forbidden to read the tsc (PR_SET_TSC)"
	}
	return ""
}

// missingFlag returns a flag that a processor lacks according to /proc/cpuinfo.
func missingFlag(cpuinfo io.Reader) (why string) {
	cpus := 0
	lines := bufio.NewScanner(cpuinfo)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, flags, found := strings.Cut(lines.Text(), ":")
		if !found || strings.TrimSpace(name) != "flags" {
			continue
		}
		cpus++
		for _, want := range []string{"constant_tsc", "nonstop_tsc"} {
			if !hasWord(flags, want) {
				return "the processor has no " + want
			}
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Sprintf("the processor's flags are not known: %v", err)
	}
	if cpus == 0 {
		return "the processor's flags are not known: /proc/cpuinfo has none"
	}
	return ""
}

func hasWord(text, word string) bool {
	for w := range strings.FieldsSeq(text) {
		if w == word {
			return true
		}
	}
	return false
}

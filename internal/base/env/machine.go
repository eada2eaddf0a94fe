package env

import (
	"runtime"
	"strings"
	"unicode"
)

// Machine describes this machine and this process's environment. Unknown values are empty or zero.
type Machine struct {
	OS          string
	Arch        string
	Kernel      string  // release, as of uname
	CPU         string  // model; on arm64 implementer and core
	Cores       int     // online and allowed by this process's affinity (including cpusets)
	Online      int     // online in the machine
	Quota       float64 // CPUs granted by cgroup, 0 = no quota
	Memory      int64   // of the machine, bytes
	MemoryLimit int64   // by cgroup, bytes, 0 = no limit
	ClockSource string  // of the kernel: tsc, kvm-clock, arch_sys_counter …
	Hypervisor  string  // kvm, vmware …; "vm" if it did not say; "" if none was seen
	Container   string  // docker, podman …; "" if none was seen
	GOMAXPROCS  int     // default of a Go program here
	GOGC        string  // from the environment, "" = not set
	GOMEMLIMIT  string  // from the environment, "" = not set
}

// Virtual returns hypervisor and container, such as "kvm, docker", "" if neither was detected. That does not
// prove bare metal.
func (m Machine) Virtual() string {
	var s []string
	for _, v := range []string{m.Hypervisor, m.Container} {
		if v != "" {
			s = append(s, v)
		}
	}
	return strings.Join(s, ", ")
}

// Describe describes this machine. It takes about a millisecond and never fails: unknown values stay empty.
func Describe() Machine { return thisHost().describe() }

func (h host) describe() Machine {
	f := h.facts()
	info := parseCPUInfo(h.get("proc/cpuinfo"))
	c := h.cpus()
	l := h.limits()
	m := Machine{
		OS:          h.os,
		Arch:        h.arch,
		Kernel:      oneLine(first(h.get("proc/sys/kernel/osrelease"), f.kernel)),
		CPU:         oneLine(first(info.model, f.cpu, h.get("proc/device-tree/model"))),
		Cores:       c.usable,
		Online:      c.online,
		Quota:       l.cpus,
		Memory:      f.memory,
		MemoryLimit: l.memory,
		ClockSource: oneLine(h.get(clockSourcePath)),
		Hypervisor:  first(h.hypervisor(info), f.hypervisor),
		Container:   h.container(),
		// The default of this process is the default of its children: the Go
		// runtime has already asked affinity, cgroup and environment.
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		GOGC:       h.getenv("GOGC"),
		GOMEMLIMIT: h.getenv("GOMEMLIMIT"),
	}
	if mem, err := h.memInfo(); err == nil {
		m.Memory = mem.total
	}
	return m
}

const clockSourcePath = "sys/devices/system/clocksource/clocksource0/current_clocksource"

// first returns the first value that is not empty.
func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// maxLine is the most bytes that are copied from a file into a text.
const maxLine = 120

// oneLine makes a file's text fit for a table: device-tree strings end in NUL, model names are padded with
// blanks.
func oneLine(s string) string {
	if len(s) > maxLine {
		s = s[:maxLine]
	}
	return strings.Join(strings.Fields(strings.Map(visible, s)), " ")
}

// visible replaces characters that do not fit in a line.
func visible(r rune) rune {
	switch {
	case r == 0 || unicode.IsSpace(r):
		return ' '
	case r == unicode.ReplacementChar || !unicode.IsPrint(r):
		return '?'
	}
	return r
}

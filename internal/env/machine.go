package env

import (
	"runtime"
	"strings"
	"unicode"
)

// Machine is what this machine and this process's environment are. What is not
// known is empty or zero.
type Machine struct {
	OS          string
	Arch        string
	Kernel      string  // release, as of uname
	CPU         string  // model; on arm64 implementer and core
	Cores       int     // usable: online and in this process's affinity (cpusets included)
	Online      int     // online in the machine
	Quota       float64 // CPUs granted by cgroup, 0 = no quota
	Memory      int64   // of the machine, bytes
	MemoryLimit int64   // by cgroup, bytes, 0 = no limit
	ClockSource string  // of the kernel: tsc, kvm-clock, arch_sys_counter …
	Hypervisor  string  // kvm, vmware …; "vm" if it did not say; "" if none was seen
	Container   string  // docker, podman …; "" if none was seen
	GOMAXPROCS  int     // what a Go program has here by default
	GOGC        string  // from the environment, "" = not set
	GOMEMLIMIT  string  // from the environment, "" = not set
}

// Virtual returns hypervisor and container in one word, "kvm, docker"; "" if
// neither was seen. Not having been seen is no proof of bare metal.
func (m Machine) Virtual() string {
	var s []string
	for _, v := range []string{m.Hypervisor, m.Container} {
		if v != "" {
			s = append(s, v)
		}
	}
	return strings.Join(s, ", ")
}

// Describe says what this machine is. It takes about a millisecond and never
// fails: what cannot be found out stays empty.
func Describe() Machine { return here().describe() }

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

// maxWords bounds what is taken over from a file into a text, in bytes.
const maxWords = 120

// oneLine makes a vendor's words fit for a table: device-tree strings end in
// NUL, model names are padded with blanks.
func oneLine(s string) string {
	if len(s) > maxWords {
		s = s[:maxWords]
	}
	return strings.Join(strings.Fields(strings.Map(visible, s)), " ")
}

// visible replaces what would spoil a line.
func visible(r rune) rune {
	switch {
	case r == 0 || unicode.IsSpace(r):
		return ' '
	case r == unicode.ReplacementChar || !unicode.IsPrint(r):
		return '?'
	}
	return r
}

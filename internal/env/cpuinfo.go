package env

import (
	"slices"
	"strings"
)

// cpuInfo is what /proc/cpuinfo tells.
type cpuInfo struct {
	model      string // "" if the file does not say
	hypervisor bool   // x86: the flag by which a hypervisor makes itself known
	uml        bool   // User Mode Linux
}

// modelKeys are what the architectures call the model: x86 and old arm, mips,
// riscv, powerpc, loongarch and others; in order of preference.
var modelKeys = []string{"model name", "cpu model", "uarch", "cpu", "hardware"}

// parseCPUInfo reads /proc/cpuinfo, which is made for people: "key : value"
// lines in one block per processor, with keys that differ by architecture.
func parseCPUInfo(text string) cpuInfo {
	var info cpuInfo
	seen := map[string]string{}
	var arm armCores
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		arm.add(key, value)
		if _, dup := seen[key]; !dup {
			seen[key] = value
		}
	}
	info.hypervisor = slices.Contains(strings.Fields(seen["flags"]), "hypervisor")
	info.uml = seen["vendor_id"] == "User Mode Linux"
	info.model = arm.model()
	for _, key := range modelKeys {
		info.model = first(info.model, seen[key])
	}
	return info
}

package env

import (
	"slices"
	"strings"
)

// cpuInfo holds values of /proc/cpuinfo.
type cpuInfo struct {
	model      string // "" if the file does not say
	hypervisor bool   // x86: the hypervisor flag is set
	uml        bool   // User Mode Linux
}

// modelKeys are the keys of the model on x86 and old arm, mips, riscv, powerpc, loongarch and others, in order
// of preference.
var modelKeys = []string{"model name", "cpu model", "uarch", "cpu", "hardware"}

// parseCPUInfo parses /proc/cpuinfo: "key : value" lines in one block per processor, with keys that differ by
// architecture.
func parseCPUInfo(text string) cpuInfo {
	var info cpuInfo
	observed := map[string]string{}
	var arm armCores
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		arm.add(key, value)
		if _, dup := observed[key]; !dup {
			observed[key] = value
		}
	}
	info.hypervisor = slices.Contains(strings.Fields(observed["flags"]), "hypervisor")
	info.uml = observed["vendor_id"] == "User Mode Linux"
	info.model = arm.model()
	for _, key := range modelKeys {
		info.model = first(info.model, observed[key])
	}
	return info
}

package env

import (
	"slices"
	"strings"
)

// armCores collects the kinds of cores of an arm machine. Its cpuinfo has no model name, only numbers of
// implementer and part for each core, which may differ.
type armCores struct {
	implementer string   // of the block being read
	kinds       []string // "ARM Neoverse-N1", in order of appearance
}

func (a *armCores) add(key, value string) {
	switch key {
	case "cpu implementer":
		a.implementer = strings.ToLower(value)
	case "cpu part":
		kind := armKind(a.implementer, strings.ToLower(value))
		if !slices.Contains(a.kinds, kind) && len(a.kinds) < 8 {
			a.kinds = append(a.kinds, kind)
		}
	}
}

// model returns all kinds of cores, "" if there were none.
func (a *armCores) model() string { return strings.Join(a.kinds, " + ") }

func armKind(implementer, part string) string {
	maker, ok := armMakers[implementer]
	if !ok {
		return oneLine("implementer " + implementer + " part " + part)
	}
	if name, ok := armParts[implementer+" "+part]; ok {
		return maker + " " + name
	}
	return oneLine(maker + " part " + part)
}

// Numbers of MIDR_EL1, from Linux's arch/arm64/include/asm/cputype.h and util-linux's sys-utils/lscpu-arm.c,
// for servers and common boards. Others are shown as numbers.
var armMakers = map[string]string{
	"0x41": "ARM",
	"0x42": "Broadcom",
	"0x43": "Cavium",
	"0x46": "Fujitsu",
	"0x48": "HiSilicon",
	"0x4e": "NVIDIA",
	"0x50": "APM",
	"0x51": "Qualcomm",
	"0x53": "Samsung",
	"0x56": "Marvell",
	"0x61": "Apple",
	"0x6d": "Microsoft",
	"0x70": "Phytium",
	"0xc0": "Ampere",
}

var armParts = map[string]string{
	"0x41 0xb76": "ARM1176",
	"0x41 0xc07": "Cortex-A7",
	"0x41 0xc08": "Cortex-A8",
	"0x41 0xc09": "Cortex-A9",
	"0x41 0xc0f": "Cortex-A15",
	"0x41 0xd03": "Cortex-A53",
	"0x41 0xd04": "Cortex-A35",
	"0x41 0xd05": "Cortex-A55",
	"0x41 0xd07": "Cortex-A57",
	"0x41 0xd08": "Cortex-A72",
	"0x41 0xd09": "Cortex-A73",
	"0x41 0xd0a": "Cortex-A75",
	"0x41 0xd0b": "Cortex-A76",
	"0x41 0xd0c": "Neoverse-N1",
	"0x41 0xd0d": "Cortex-A77",
	"0x41 0xd40": "Neoverse-V1",
	"0x41 0xd41": "Cortex-A78",
	"0x41 0xd42": "Cortex-A78AE",
	"0x41 0xd44": "Cortex-X1",
	"0x41 0xd46": "Cortex-A510",
	"0x41 0xd47": "Cortex-A710",
	"0x41 0xd48": "Cortex-X2",
	"0x41 0xd49": "Neoverse-N2",
	"0x41 0xd4d": "Cortex-A715",
	"0x41 0xd4e": "Cortex-X3",
	"0x41 0xd4f": "Neoverse-V2",
	"0x41 0xd80": "Cortex-A520",
	"0x41 0xd81": "Cortex-A720",
	"0x41 0xd82": "Cortex-X4",
	"0x41 0xd84": "Neoverse-V3",
	"0x41 0xd85": "Cortex-X925",
	"0x41 0xd87": "Cortex-A725",
	"0x41 0xd8e": "Neoverse-N3",
	"0x43 0x0a1": "ThunderX",
	"0x43 0x0af": "ThunderX2",
	"0x46 0x001": "A64FX",
	"0x48 0xd01": "TaiShan-v110 (Kunpeng 920)",
	"0x48 0xd02": "TaiShan-v120",
	"0x4e 0x004": "Carmel",
	"0x51 0x001": "Oryon",
	"0x51 0x800": "Kryo 2xx Gold",
	"0x51 0x801": "Kryo 2xx Silver",
	"0x51 0xc00": "Falkor",
	"0x61 0x022": "M1 Icestorm",
	"0x61 0x023": "M1 Firestorm",
	"0x61 0x032": "M2 Blizzard",
	"0x61 0x033": "M2 Avalanche",
	"0x6d 0xd49": "Azure Cobalt 100",
	"0xc0 0xac3": "Ampere-1",
	"0xc0 0xac4": "Ampere-1a",
}

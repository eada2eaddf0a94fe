package env

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseCPUInfo(t *testing.T) {
	tests := []struct {
		name string
		text string
		want cpuInfo
	}{
		{"x86", "model name\t: AMD EPYC\nflags\t: fpu vme\n", cpuInfo{model: "AMD EPYC"}},
		{"x86 guest", "model name\t: AMD EPYC\nflags\t: fpu hypervisor vme\n", cpuInfo{model: "AMD EPYC", hypervisor: true}},
		{"flag of another name", "flags\t: nohypervisor\n", cpuInfo{}},
		{"user mode linux", "vendor_id\t: User Mode Linux\nmodel name\t: UML\n", cpuInfo{model: "UML", uml: true}},
		{"graviton 2", "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n", cpuInfo{model: "ARM Neoverse-N1"}},
		{"unknown core", "CPU implementer\t: 0x41\nCPU part\t: 0xfff\n", cpuInfo{model: "ARM part 0xfff"}},
		{"unknown maker", "CPU implementer\t: 0x99\nCPU part\t: 0xd0c\n", cpuInfo{model: "implementer 0x99 part 0xd0c"}},
		{"raspberry", "model name\t: ARMv7 Processor rev 3 (v7l)\nCPU implementer\t: 0x41\nCPU part\t: 0xd08\nHardware\t: BCM2711\n",
			cpuInfo{model: "ARM Cortex-A72"}},
		{"old arm", "Processor\t: some\nHardware\t: BCM2708\n", cpuInfo{model: "BCM2708"}},
		{"power", "processor\t: 0\ncpu\t\t: POWER9, altivec supported\n", cpuInfo{model: "POWER9, altivec supported"}},
		{"riscv", "isa\t: rv64imafdc\nuarch\t: sifive,u74-mc\n", cpuInfo{model: "sifive,u74-mc"}},
		{"loongarch", "Model Name\t\t: Loongson-3A5000\n", cpuInfo{model: "Loongson-3A5000"}},
		{"no value", "model name", cpuInfo{}},
		{"empty", "", cpuInfo{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := parseCPUInfo(tt.text); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestOneLine(t *testing.T) {
	tests := map[string]string{
		"":                           "",
		"  a   b\t\nc ":              "a b c",
		"Raspberry Pi 4 Model B\x00": "Raspberry Pi 4 Model B",
		"linux,kvm\x00linux,x\x00":   "linux,kvm linux,x",
		"\x1b[31mred":                "?[31mred",
		"bad\xff":                    "bad?",
		"größe":                      "größe",
	}
	for in, want := range tests {
		if got := oneLine(in); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzCPUInfo(f *testing.F) {
	for _, m := range machines {
		f.Add(string(readTree(f, m)["proc/cpuinfo"].Data))
	}
	f.Add("cpu implementer:\ncpu part:")
	f.Fuzz(func(t *testing.T, text string) {
		m := oneLine(parseCPUInfo(text).model)
		if len(m) > 4*maxLine || strings.ContainsAny(m, "\n\x00\x1b") || !utf8.ValidString(m) {
			t.Errorf("model %q", m)
		}
	})
}

package env

import (
	"os"
	"time"
)

// Config says how [Examine] looks. Its zero value works.
type Config struct {
	// Window is how long steal and other load are watched; 0 = 1 s.
	Window time.Duration

	// ClockRead and ClockResolution are what the caller has measured of its
	// clock, in ns; 0 = not measured.
	ClockRead       float64
	ClockResolution float64

	// TempDir and CacheDir are where binaries are built and kept; "" = what
	// os.TempDir and os.UserCacheDir say.
	TempDir  string
	CacheDir string
}

func (c Config) withDefaults() Config {
	if c.Window <= 0 {
		c.Window = time.Second
	}
	if c.TempDir == "" {
		c.TempDir = os.TempDir()
	}
	if c.CacheDir == "" {
		c.CacheDir, _ = os.UserCacheDir() // "" is reported by its probe
	}
	return c
}

// Examine looks for what stands in the way of a good measurement on this
// machine. It takes Config.Window and some 100 ms, most of it the go command.
// The findings come in a fixed order, one per name, and always all of them.
func Examine(c Config) []Finding { return here().examine(c.withDefaults()) }

func (h host) examine(c Config) []Finding {
	seen := h.watch(c.Window) // first: what follows makes noise itself
	hypervisor := first(h.hypervisor(parseCPUInfo(h.get("proc/cpuinfo"))), h.facts().hypervisor)
	return []Finding{
		h.clockFinding(c),
		h.timerFinding(),
		h.perfFinding(hypervisor),
		stealFinding(seen, hypervisor),
		h.loadFinding(),
		processesFinding(seen),
		diskFinding(seen),
		h.governorFinding(),
		h.turboFinding(hypervisor),
		h.smtFinding(hypervisor),
		h.limitFinding(),
		h.numaFinding(),
		h.memoryFinding(seen),
		h.hugePagesFinding(),
		h.aslrFinding(),
		virtualFinding(hypervisor, h.container()),
		h.goFinding(),
		h.dirFinding("temp", c.TempDir),
		h.dirFinding("cache", c.CacheDir),
	}
}

// ratios is the advice wherever absolute times cannot be trusted.
const ratios = "prefer --against (ratios) over absolute times"

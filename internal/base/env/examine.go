package env

import (
	"context"
	"os"
	"time"
)

// Config configures [Examine]. Its zero value works.
type Config struct {
	// Window is how long steal and other load are observed; 0 = 1 s.
	Window time.Duration

	// ClockRead and ClockResolution are the caller's measurements of its clock, in ns; 0 = not measured.
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

// Examine searches for whatever stands in the way of a good measurement on this machine. It takes Config.Window
// and some 100 ms, most of it for the go command. It always returns all findings, one per name, in a fixed
// order. If ctx ends it returns at once, with its error.
func Examine(ctx context.Context, c Config) ([]Finding, error) {
	h := thisHost()
	h.sleep = func(d time.Duration) {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
	h.golang = func() (golang, error) { return findGo(ctx) }
	found := h.examine(c.withDefaults())
	return found, ctx.Err()
}

func (h host) examine(c Config) []Finding {
	observed := h.watch(c.Window) // first, because what follows makes noise itself
	hypervisor := first(h.hypervisor(parseCPUInfo(h.get("proc/cpuinfo"))), h.facts().hypervisor)
	return []Finding{
		h.clockFinding(c),
		h.timerFinding(),
		h.perfFinding(hypervisor),
		stealFinding(observed, hypervisor),
		h.loadFinding(),
		processesFinding(observed),
		diskFinding(observed),
		h.governorFinding(),
		h.turboFinding(hypervisor),
		h.smtFinding(hypervisor),
		h.limitFinding(),
		h.priorityFinding(),
		h.numaFinding(),
		h.memoryFinding(observed),
		h.hugePagesFinding(),
		h.aslrFinding(),
		virtualFinding(hypervisor, h.container()),
		h.goFinding(),
		h.dirFinding("temp", c.TempDir),
		h.dirFinding("cache", c.CacheDir),
	}
}

// adviceRatios is the advice where absolute times are unreliable.
const adviceRatios = "prefer --against (ratios) over absolute times"

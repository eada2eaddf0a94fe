//go:build (linux || darwin) && (amd64 || arm64)

package runtime

import "unsafe"

// A process has one CPU profiler. While the sampler uses it, a program that profiles itself, or serves its profile, gets a
// profile without samples: SetCPUProfileRate and runtime_pprof_readProfile have a first statement that calls these functions.

// tareSampleStandIn is the state of the program's own, empty profile, guarded by cpuprof.lock.
type tareSampleStandIn struct {
	hz   uint64 // 0: the program takes no profile
	sent bool   // the rate was read, with which a profile begins
	over bool   // it was turned off
}

// tareSampleProfiles reports whether the sampler uses the CPU profiler.
func tareSampleProfiles() bool { return tareSampler.words != nil && tareSampler.mode == "cpu" }

// tareSampleRate is the first statement of SetCPUProfileRate, which returns if it reports true.
func tareSampleRate(hz int) bool {
	if !tareSampleProfiles() || getg().goid == tareSampler.profiles {
		return false
	}
	lock(&cpuprof.lock)
	if sham := &tareSampler.sham; hz <= 0 {
		sham.over = sham.hz > 0
	} else if sham.hz == 0 {
		sham.hz = uint64(min(hz, 1_000_000))
		tareSampler.words[tareSampleRival]++
	}
	unlock(&cpuprof.lock)
	return true
}

// tareSampleRead returns what package runtime/pprof reads instead: the rate, and then nothing until the profile ends.
func tareSampleRead() (data []uint64, tags []unsafe.Pointer, eof bool) {
	lock(&cpuprof.lock)
	sham := &tareSampler.sham
	hz, sent, over := sham.hz, sham.sent, sham.over
	sham.sent = hz > 0
	if sent && over || hz == 0 {
		*sham = tareSampleStandIn{}
	}
	unlock(&cpuprof.lock)
	switch {
	case hz == 0 || sent && over:
		return nil, nil, true
	case !sent:
		return []uint64{3, uint64(nanotime()), hz}, []unsafe.Pointer{nil}, false
	}
	timeSleep(tareSampleDrain)
	return nil, nil, false
}

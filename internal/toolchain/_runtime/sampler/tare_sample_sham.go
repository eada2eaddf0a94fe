//go:build (linux || darwin) && (amd64 || arm64)

package runtime

import "unsafe"

// There is one CPU profiler. While it is ours, a program that profiles itself, or serves its profile, gets one without
// samples: SetCPUProfileRate and what package runtime/pprof reads are given first lines that call these functions.

// tareSampleSham is the profile that a program takes of itself meanwhile, guarded by cpuprof.lock.
type tareSampleSham struct {
	hz   uint64 // 0: there is none
	told bool   // that rate, with which a profile begins
	over bool   // it was turned off
}

// tareSampleProfiles reports whether the CPU profiler is ours.
func tareSampleProfiles() bool { return tareSampler.words != nil && tareSampler.mode == "cpu" }

// tareSampleRate is called first of all by SetCPUProfileRate, and reports whether that is all.
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

// tareSampleRead stands for what package runtime/pprof reads: the rate, and then nothing until it is turned off.
func tareSampleRead() (data []uint64, tags []unsafe.Pointer, eof bool) {
	lock(&cpuprof.lock)
	sham := &tareSampler.sham
	hz, told, over := sham.hz, sham.told, sham.over
	sham.told = hz > 0
	if told && over || hz == 0 {
		*sham = tareSampleSham{}
	}
	unlock(&cpuprof.lock)
	switch {
	case hz == 0 || told && over:
		return nil, nil, true
	case !told:
		return []uint64{3, uint64(nanotime()), hz}, []unsafe.Pointer{nil}, false
	}
	timeSleep(tareSampleDrain)
	return nil, nil, false
}

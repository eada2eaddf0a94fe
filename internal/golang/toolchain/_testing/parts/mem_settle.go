package testing

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

const (
	tareMemPause  = 20 * time.Millisecond // between collections
	tareMemRounds = 10                    // collections at most
)

// tareMemFigures are bytes.
type tareMemFigures struct {
	heap  uint64 // objects of the heap, HeapAlloc
	used  uint64 // mapped by the runtime, less what is free, unused or returned
	total uint64 // mapped by the runtime, less what is returned
}

// tareMemStats reads s and returns its figures.
func tareMemStats(s *runtime.MemStats) tareMemFigures {
	runtime.ReadMemStats(s)
	return tareMemFigures{
		heap:  s.HeapAlloc,
		used:  s.Sys - s.HeapIdle - s.HeapInuse + s.HeapAlloc,
		total: s.Sys - s.HeapReleased,
	}
}

// tareMemSettle collects until the heap no longer shrinks: pools are emptied by
// the second collection, what had a finalizer is freed by the one after it ran.
// pause is between the collections, for finalizers and cleanups.
func tareMemSettle(pause time.Duration) (fin, settled tareMemFigures, rounds int) {
	var s runtime.MemStats
	runtime.GC()
	fin = tareMemStats(&s)
	settled = fin
	for rounds = 1; rounds < tareMemRounds; rounds++ {
		time.Sleep(pause)
		runtime.GC()
		now := tareMemStats(&s)
		fell := now.used < settled.used
		settled.heap, settled.used, settled.total = min(now.heap, settled.heap), min(now.used, settled.used), now.total
		if !fell {
			break
		}
	}
	return fin, settled, rounds
}

// tareMemResident reads the resident memory, and its proportional part, from the page
// tables. VmRSS in /proc/self/status is counted in batches per CPU, can be short
// by some hundred KiB, and then comes out below the proportional part.
func tareMemResident() (rss, pss uint64) {
	m := tareMemStatus("/proc/self/smaps_rollup")
	if m["Rss"] == 0 {
		return tareMemStatus("/proc/self/status")["VmRSS"], m["Pss"]
	}
	return m["Rss"], m["Pss"]
}

// tareMemStatus reads a file of /proc in which sizes stand as "Name:  12 kB", in
// bytes; nil if the file does not exist.
func tareMemStatus(path string) map[string]uint64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	out := map[string]uint64{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 3 && f[2] == "kB" {
			if n, err := strconv.ParseUint(f[1], 10, 64); err == nil {
				out[strings.TrimSuffix(f[0], ":")] = n << 10
			}
		}
	}
	return out
}

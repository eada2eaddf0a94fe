package record

import "strings"

// The purposes of a fork. Only timing forks count for scores. Purposes of a self-test
// begin with "selftest-"; all others are names of profilers.
const (
	PurposeDiscovery = "discovery"
	PurposePilot     = "pilot"
	PurposeTiming    = "timing"
)

// OfProfiler reports whether purpose is that of forks for a profiler.
func OfProfiler(purpose string) bool {
	switch purpose {
	case "", PurposeDiscovery, PurposePilot, PurposeTiming:
		return false
	}
	return !strings.HasPrefix(purpose, "selftest-")
}

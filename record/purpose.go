package record

import "strings"

// The purposes of a fork. Only timing forks enter scores. Others are those of a
// self-test, which begin with "selftest-", and the names of profilers.
const (
	PurposeDiscovery = "discovery"
	PurposePilot     = "pilot"
	PurposeTiming    = "timing"
)

// OfProfiler tells the purpose of forks that ran for a profiler alone.
func OfProfiler(purpose string) bool {
	switch purpose {
	case "", PurposeDiscovery, PurposePilot, PurposeTiming:
		return false
	}
	return !strings.HasPrefix(purpose, "selftest-")
}

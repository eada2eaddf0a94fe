//go:build !darwin && !windows

package env

// systemFacts knows nothing that is not in /proc and /sys.
func systemFacts() facts { return facts{} }

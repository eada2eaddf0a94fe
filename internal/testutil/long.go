package testutil

import (
	"os"
	"testing"
)

// Long reports whether tests run at full length: the environment has TARE_LONG=1,
// as in .ci/soak.
func Long() bool { return os.Getenv("TARE_LONG") == "1" }

// Soak reports whether the longest tests run as well, which take minutes each: the
// environment has TARE_SOAK=1, as in make soak.
func Soak() bool { return os.Getenv("TARE_SOAK") == "1" }

// Pick returns full where tests run at full length, and brief otherwise.
func Pick[T any](brief, full T) T {
	if Long() {
		return full
	}
	return brief
}

// NeedLong skips the test unless tests run at full length. The reason says what
// takes long.
func NeedLong(t testing.TB, reason string) {
	t.Helper()
	if !Long() {
		t.Skipf("%s: TARE_LONG=1 runs it", reason)
	}
}

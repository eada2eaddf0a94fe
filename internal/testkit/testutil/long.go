package testutil

import (
	"os"
	"testing"
)

// Long reports whether tests run at full length: the environment has TARE_LONG=1,
// as in .ci/soak.
func Long() bool { return os.Getenv("TARE_LONG") == "1" }

// Seconds reports whether tests run that take seconds, but not minutes: the
// environment has TARE_LONG=seconds, as in .ci/run, or TARE_LONG=1.
func Seconds() bool { return os.Getenv("TARE_LONG") == "seconds" || Long() }

// Soak reports whether the longest tests run as well, which take minutes each: the
// environment has TARE_SOAK=1, as in make soak.
func Soak() bool { return os.Getenv("TARE_SOAK") == "1" }

// Pick returns full where tests run at full length, and brief otherwise.
func Pick[T any](brief, full T) T { return pick(Long(), brief, full) }

// PickSeconds returns full where tests run that take seconds, and brief otherwise.
func PickSeconds[T any](brief, full T) T { return pick(Seconds(), brief, full) }

func pick[T any](long bool, brief, full T) T {
	if long {
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

// NeedSeconds skips the test unless tests run that take seconds. The reason says
// what takes them.
func NeedSeconds(t testing.TB, reason string) {
	t.Helper()
	if !Seconds() {
		t.Skipf("%s: TARE_LONG=seconds runs it", reason)
	}
}

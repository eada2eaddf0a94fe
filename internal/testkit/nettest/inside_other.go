//go:build !linux

package nettest

import "testing"

// Inside skips the test: only Linux has namespaces.
func Inside(t *testing.T, addresses ...string) bool {
	t.Helper()
	t.Skip("only Linux has namespaces of networks")
	return false
}

// Names is for tests that are inside.
func Names(t *testing.T, answer func(name string) string) {}

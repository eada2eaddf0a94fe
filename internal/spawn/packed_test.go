//go:build linux || darwin

package spawn

import (
	"os"
	"testing"
)

// TestPacked: the sources in the command are the files here.
func TestPacked(t *testing.T) {
	if err := sources.Stale(os.DirFS("."), "helper/*.go"); err != nil {
		t.Error(err)
	}
}

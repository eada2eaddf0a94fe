//go:build unix

package benchrun

import (
	"path/filepath"
	"testing"
)

// TestNoBuildTemp: without a directory for the go commands nothing is built, instead of where TMPDIR says.
func TestNoBuildTemp(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "absent"))
	if temp, err := openBuildTemp(); err == nil {
		temp.close()
		t.Error("a directory in one that does not exist")
	}
}

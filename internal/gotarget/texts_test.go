package gotarget

import (
	"os"
	"testing"
)

// TestPacked: the texts in the command are the files here.
func TestPacked(t *testing.T) {
	if err := texts.Stale(os.DirFS("."), "_child/*.go", "wire.go"); err != nil {
		t.Error(err)
	}
}

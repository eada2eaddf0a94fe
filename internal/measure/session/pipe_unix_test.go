//go:build unix

package session

import (
	"os"
	"testing"
)

// TestClosedPipe: it is known of a pipe whether somebody reads it.
func TestClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if isClosedPipe(w) {
		t.Error("a pipe that is open counts as closed")
	}
	r.Close()
	if !isClosedPipe(w) {
		t.Error("a pipe that is closed counts as open")
	}
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if isClosedPipe(file) {
		t.Error("a file counts as a closed pipe")
	}
}

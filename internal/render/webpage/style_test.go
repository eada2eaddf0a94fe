package webpage

import (
	"os"
	"testing"
)

// TestPacked: the style in the command is the file here.
func TestPacked(t *testing.T) {
	if err := styles.Stale(os.DirFS("."), "style.css"); err != nil {
		t.Error(err)
	}
}

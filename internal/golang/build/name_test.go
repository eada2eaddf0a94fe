package build

import "testing"

func TestBinaryName(t *testing.T) {
	for path, want := range map[string]string{
		"sort": "sort", "encoding/json": "json", "github.com/puzpuzpuz/xsync/v4": "xsync", "v4": "v4", "a/v4x": "v4x",
	} {
		if got := binaryName(path); got != want {
			t.Errorf("binaryName(%s) = %s, want %s", path, got, want)
		}
	}
}

package regularfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "text")
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(file, 4); string(got) != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	for _, c := range []struct {
		name string
		most int64
		want string
	}{
		{file, 3, "is longer than 0 MiB"},
		{dir, 1 << 20, dir + ": is not a regular file"},
		{os.DevNull, 1 << 20, "is not a regular file"},
		{filepath.Join(dir, "none"), 1 << 20, "no such file"},
	} {
		if _, err := Read(c.name, c.most); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q in it", c.name, err, c.want)
		}
	}
}

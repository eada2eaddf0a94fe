package pprofio_test

import (
	"io"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/binary/pprofio"
)

// TestLimit: what has just as many bytes as it may is whole.
func TestLimit(t *testing.T) {
	for _, c := range []struct {
		n, most int64
		want    string
	}{
		{0, 0, ""},
		{1, 0, "it is larger than 0 MiB"},
		{99, 100, ""},
		{100, 100, ""},
		{101, 100, "it is larger than 100 bytes"},
		{1 << 20, 1 << 20, ""},
		{1<<20 + 1, 1 << 20, "it is larger than 1 MiB"},
		{1 << 40, 1 << 20, "it is larger than 1 MiB"},
	} {
		read, err := io.Copy(io.Discard, pprofio.Limit(io.LimitReader(endless{}, c.n), c.most, "it"))
		switch {
		case c.want == "" && (err != nil || read != c.n):
			t.Errorf("%d of %d: %d, %v", c.n, c.most, read, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%d of %d: %v, want %q", c.n, c.most, err, c.want)
		}
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

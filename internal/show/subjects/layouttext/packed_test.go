package layouttext

import (
	"math/bits"
	"runtime"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/binary/layout"
)

// TestPacked: small structs without pointers share a block, so that one takes its size.
func TestPacked(t *testing.T) {
	for _, c := range []struct {
		size     int64
		pointers bool
		packed   bool
		want     string
	}{
		{8, false, true, "on the heap 8, in a block of 16 that small objects share"},
		{12, false, true, "on the heap 12, in a block of 16 that small objects share"},
		{8, true, false, "on the heap 8, from anywhere in a line"},
		{16, false, false, "on the heap 16, from anywhere in a line"},
	} {
		s := layout.Measure(&layout.Node{Name: "T", Arch: runtime.GOARCH, Size: c.size, Align: bits.UintSize / 8, Pointers: c.pointers}, 64, false)
		if got := block(s); s.Packed != c.packed || !strings.HasPrefix(got, c.want) {
			t.Errorf("%d bytes, pointers %v: %v %q, want %q", c.size, c.pointers, s.Packed, got, c.want)
		}
	}
}

package load

import (
	"testing"
	"time"
)

func TestFormatNs(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0 s"},
		{999, "999 ns"},
		{1026047, "1.03 ms"},
		{202861874, "203 ms"},
		{19988479, "20 ms"},
		{999999, "1 ms"},
		{1500 * time.Millisecond, "1.5 s"},
		{61*time.Second + 4*time.Millisecond, "1m1s"},
	} {
		if got := formatNs(int64(c.d)); got != c.want {
			t.Errorf("words(%d) = %q, want %q", c.d, got, c.want)
		}
	}
}

package redact

import (
	"strings"
	"testing"
)

// TestSettingIsBounded: a long word is not searched from each of its letters on.
func TestSettingIsBounded(t *testing.T) {
	short, long := strings.Repeat("x", 1000), strings.Repeat("x", 8000)
	a := testing.AllocsPerRun(3, func() { Setting(short) })
	b := testing.AllocsPerRun(3, func() { Setting(long) })
	if b > 2*a+100 {
		t.Errorf("%v allocations for 1000 letters, %v for 8000", a, b)
	}
	if got := Setting("password" + strings.Repeat("x", 8000)); strings.Contains(got, "xx") {
		t.Errorf("%.40s", got)
	}
}

package cluster

import (
	"strings"
	"testing"
)

// TestCheckName: a name that would be several parts of a subject, or a wildcard, is refused.
func TestCheckName(t *testing.T) {
	for _, name := range []string{"a", "host-1", "A_9", strings.Repeat("x", maxName)} {
		if err := CheckName(name); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"", "*", ">", "a.b", "a.>", "a b", "a\n", "é", "a\x00", strings.Repeat("x", maxName+1)} {
		if CheckName(name) == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}

// TestCheckSize: the limit itself may be sent, and the error names the size.
func TestCheckSize(t *testing.T) {
	if err := CheckSize("hello", make([]byte, MaxMessage)); err != nil {
		t.Error(err)
	}
	if err := CheckSize("hello", make([]byte, MaxMessage+1)); err == nil || !strings.Contains(err.Error(), "1048577 bytes") {
		t.Error(err)
	}
}

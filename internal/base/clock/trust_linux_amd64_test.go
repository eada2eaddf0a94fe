package clock

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestMissingFlag(t *testing.T) {
	const good = "processor\t: 0\nflags\t\t: fpu tsc constant_tsc nonstop_tsc lm\nvmx flags\t: x\n\n"
	tests := []struct {
		name, cpuinfo, want string
	}{
		{"one", good, ""},
		{"two", good + good, ""},
		{"second lacks one", good + "flags\t\t: fpu tsc constant_tsc lm\n", "the processor has no nonstop_tsc"},
		{"a longer word is another", "flags : constant_tsc2 nonstop_tsc\n", "the processor has no constant_tsc"},
		{"no flags", "processor : 0\n", "the processor's flags are not known: /proc/cpuinfo has none"},
		{"empty", "", "the processor's flags are not known: /proc/cpuinfo has none"},
	}
	for _, tt := range tests {
		if got := missingFlag(strings.NewReader(tt.cpuinfo)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	broken := io.MultiReader(strings.NewReader(good), errReader{})
	if got := missingFlag(broken); got != "the processor's flags are not known: broken" {
		t.Errorf("unreadable: %q", got)
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errors.New("broken") }

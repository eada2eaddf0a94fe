package toolchain

import (
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/numbers/buildset"
)

func TestSplit(t *testing.T) {
	for s, want := range map[string][]string{
		"":                             nil,
		" ":                            nil,
		"-a -b=c":                      {"-a", "-b=c"},
		" -a\t '-b=c d' \"-e='f'\" ":   {"-a", "-b=c d", "-e='f'"},
		"-ldflags='-w":                 {"-ldflags='-w"},
		"'-open -a":                    {"'-open", "-a"},
		"'-ldflags=-w -s' -overlay=\"": {"-ldflags=-w -s", "-overlay=\""},
	} {
		if got := buildset.Words(s); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// TestFlags: of GOFLAGS and of what is typed, however it is typed, the last one counts.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		goflags string
		typed   string
		last    string // overlay
		on      string // cover*
	}{
		{"", "", "", ""},
		{"-overlay=a", "", "a", ""},
		{"-overlay=a", "--overlay=b", "b", ""},
		{"-overlay=a", "-overlay b -x", "b", ""},
		{"-overlay=a", "-overlay", "a", ""},
		{"'-overlay=a b'", "-overlays=c", "a b", ""},
		{"-cover", "", "", "-cover"},
		{"-x", "--cover=1", "", "--cover=1"},
		{"-cover", "-cover=false", "", ""},
		{"-cover=0", "-coverpkg=./... -v", "", "-coverpkg=./..."},
		{"-ldflags=-cover", "x=-cover", "", ""},
	} {
		f := ParseFlags(c.goflags, strings.Fields(c.typed)...)
		if got, ok := f.Last("overlay"); got != c.last || ok != (c.last != "") {
			t.Errorf("%q, %q: overlay %q, %v", c.goflags, c.typed, got, ok)
		}
		if got := f.Switched(func(name string) bool { return strings.HasPrefix(name, "cover") }); got != c.on {
			t.Errorf("%q, %q: switched on is %q, want %q", c.goflags, c.typed, got, c.on)
		}
	}
}

package loopcost

import (
	"debug/buildinfo"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// settings are those of a binary on which the cost of a loop depends.
type settings struct {
	version string // of Go, as in the binary
	flags   []string
	env     []string
}

var (
	// costly are the flags that change what the compiler makes of a loop. -cover changes no test files.
	costly = []string{"-race", "-msan", "-asan", "-gcflags"}
	// released are versions that GOTOOLCHAIN can name.
	released = regexp.MustCompile(`^go1\.\d+(\.\d+|rc\d+|beta\d+)?$`)
)

// settingsOf reads the settings of a binary that the go command has built.
func settingsOf(path string) (settings, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return settings{}, err
	}
	s := settings{version: info.GoVersion}
	for _, x := range info.Settings {
		switch {
		case x.Value == "":
		case slices.Contains(costly, x.Key):
			s.flags = append(s.flags, x.Key+"="+x.Value)
		case x.Key == "CGO_ENABLED", strings.HasPrefix(x.Key, "GO"):
			s.env = append(s.env, x.Key+"="+x.Value)
		}
	}
	if v, _, _ := strings.Cut(s.version, " "); released.MatchString(v) {
		s.env = append(s.env, "GOTOOLCHAIN="+v)
	}
	return s, nil
}

// Key returns a text that is the same for binaries whose empty loops take the same time.
func Key(path string) (string, error) {
	s, err := settingsOf(path)
	return fmt.Sprintf("%q", append(append(s.flags, s.env...), s.version)), err
}

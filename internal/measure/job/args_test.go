package job

import (
	"strings"
	"testing"
)

// TestArgs: flags of the benchmark's own pass, those that tare sets do not.
func TestArgs(t *testing.T) {
	for line, want := range map[string]string{
		"":                          "",
		"-elems 5 --mode=x word":    "-elems 5 --mode=x word",
		"-test.short -elems 5":      "-test.short -elems 5",
		"--test.parallel=4":         "--test.parallel=4",
		"-- -test.count=9":          "-- -test.count=9",
		"-test.count=9":             "!tare sets the flags of package testing",
		"-x --test.cpuprofile=a.pb": "!tare sets the flags of package testing",
		"-short!":                   "-test.short",
	} {
		words := strings.Fields(strings.TrimSuffix(line, "-short!"))
		got, err := binaryArgs(words, strings.HasSuffix(line, "-short!"))
		refused, isRefused := strings.CutPrefix(want, "!")
		if isRefused {
			if err == nil || !strings.Contains(err.Error(), refused) {
				t.Errorf("%s: %v, %v", line, got, err)
			}
		} else if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v, want %q", line, got, err, want)
		}
	}
}

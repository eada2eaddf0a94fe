package buildset

import (
	"slices"
	"strings"
)

// List returns the settings that differ from the default and affect figures, in short: "-race", "GOAMD64=v3",
// `-gcflags="-N -l"`. The target is left out: a report says it with the machine.
//
// Of several binaries it returns what any of them has.
func List(builds ...map[string]string) []string {
	var out []string
	for _, build := range builds {
		for name, value := range build {
			switch value = effect(name, value); {
			case value == "", name == "GOOS", name == "GOARCH":
			case value == "true":
				out = append(out, name)
			default:
				out = append(out, name+"="+quoted(value))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Slowed returns the settings by which the figures of binaries are not those of a release build, as List does.
func Slowed(builds ...map[string]string) []string {
	var out []string
	for _, b := range builds {
		for _, s := range slowed(b) {
			if !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	return out
}

func slowed(build map[string]string) (out []string) {
	for _, name := range []string{"-race", "-msan", "-asan", "-cover"} {
		if build[name] == "true" {
			out = append(out, name)
		}
	}
	var off []string
	for _, w := range Words(build["-gcflags"]) {
		_, flag, found := strings.Cut(w, "=") // of a pattern of packages: all=-N
		if !found || strings.HasPrefix(w, "-") {
			flag = w
		}
		if flag = strings.TrimSuffix(flag, ";"); (flag == "-N" || flag == "-l") && !slices.Contains(off, flag) {
			off = append(off, flag)
		}
	}
	if len(off) > 0 {
		out = append(out, "-gcflags="+quoted(strings.Join(off, " ")))
	}
	return out
}

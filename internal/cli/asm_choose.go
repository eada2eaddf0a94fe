package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// chosen are the cases of a record that a pattern names.
func chosen(cases []sampled, pattern string) ([]sampled, error) {
	match, err := matchBench(pattern)
	if err != nil {
		return nil, usageError(fmt.Errorf("--bench: %w", err), "")
	}
	var names []string
	for _, c := range cases {
		names = append(names, c.name)
	}
	cases = slices.DeleteFunc(cases, func(c sampled) bool { return !match(c.name) })
	if len(cases) == 0 {
		return nil, failed(fmt.Errorf("nothing that was sampled matches --bench %q", pattern), nearBench(pattern, names))
	}
	return cases, nil
}

// parseHot reads the threshold of regions, where nothing and all of the samples make sense, too.
func parseHot(s string) (float64, error) {
	num, pct := strings.CutSuffix(strings.TrimSpace(s), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
	if pct {
		x /= 100
	}
	switch {
	case err != nil || !(x >= 0 && x <= 1):
		return 0, fmt.Errorf("--hot: %q is not a share such as 10%% or 0.1, from 0 to 100%%", s)
	case x == 0:
		return -1, nil // what a Config has for all of them
	}
	return x, nil
}

package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/command"
)

// noBenchmarks says why there is nothing to measure.
func (s *benchSession) noBenchmarks() error {
	cfg := s.run.Config
	if names := s.silent(); len(names) > 0 {
		return failed(fmt.Errorf("%s: no results of %s", strings.Join(cfg.Packages, " "), strings.Join(names, ", ")),
			"a benchmark that skips itself has none; what it says: go test -v -run '^$' -benchtime 1x -bench "+command.Join([]string{cfg.Bench})+" "+strings.Join(cfg.Packages, " "))
	}
	what := "no benchmarks"
	if cfg.Bench != "." {
		what += fmt.Sprintf(" match --bench %q", cfg.Bench)
	}
	if cfg.Skip != "" {
		what += fmt.Sprintf(" with --skip %q", cfg.Skip)
	}
	if cfg.Filter != "" {
		what += fmt.Sprintf(" with --filter %q", cfg.Filter)
	}
	return failed(fmt.Errorf("%s: %s", strings.Join(cfg.Packages, " "), what), "list them with: go test -list Benchmark "+strings.Join(cfg.Packages, " "))
}

// silent are the functions that were asked for and gave no result. Where more is
// asked than a pattern of their names it is not known which those are.
func (s *benchSession) silent() []string {
	cfg := s.run.Config
	re, err := regexp.Compile(cfg.Bench)
	if err != nil || strings.Contains(cfg.Bench, "/") || cfg.Skip != "" || cfg.Filter != "" {
		return nil
	}
	var out []string
	for _, b := range s.firstLayouts() {
		for _, name := range b.sources.Benchmarks() {
			if re.MatchString(name) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

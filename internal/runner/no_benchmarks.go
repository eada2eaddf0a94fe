package runner

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/command"
	"github.com/tarebench/tare/internal/exit"
)

// noBenchmarks returns the error of a run without anything to measure.
func (f *Found) noBenchmarks() error {
	cfg := f.Run.Config
	if names := f.silent(); len(names) > 0 {
		return exit.Failed(fmt.Errorf("%s: no results of %s", strings.Join(cfg.Packages, " "), strings.Join(names, ", ")),
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
	return exit.Failed(fmt.Errorf("%s: %s", strings.Join(cfg.Packages, " "), what), f.advice())
}

// atStart finds a pattern for the start of a name as tables show it.
var atStart = regexp.MustCompile(`(^|[|(])\^([^B|)]|B[^e|)])`)

// advice says how to find benchmarks.
func (f *Found) advice() string {
	if atStart.MatchString(f.Run.Config.Bench) {
		return "--bench is matched with the function's name, as by go test: ^Benchmark…, or leave out the ^"
	}
	return "list them with: tare bench --list " + strings.Join(f.Run.Config.Packages, " ")
}

// silent returns the functions that were asked for and gave no result. They are
// not known if more was asked for than a pattern of their names.
func (f *Found) silent() []string {
	cfg := f.Run.Config
	re, err := regexp.Compile(cfg.Bench)
	if err != nil || strings.Contains(cfg.Bench, "/") || cfg.Skip != "" || cfg.Filter != "" {
		return nil
	}
	var out []string
	for _, b := range f.firstLayouts() {
		for _, name := range b.sources.Benchmarks() {
			if re.MatchString(name) && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

package benchrun

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/shellwords"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// noBenchmarks returns the error of a run without anything to measure.
func (f *Found) noBenchmarks() error {
	cfg := f.Run.Config
	if names := f.silent(); len(names) > 0 {
		return exit.Failed(fmt.Errorf("%s: no results of %s", strings.Join(cfg.Packages, " "), strings.Join(names, ", ")),
			"a benchmark that skips itself has none; what it says: go test -v -run '^$' -benchtime 1x -bench "+shellwords.Join([]string{cfg.Bench})+" "+strings.Join(cfg.Packages, " "))
	}
	what := "no benchmarks"
	if cfg.Bench != "." {
		what += fmt.Sprintf(" match --bench %q", cfg.Bench)
	}
	if cfg.Skip != "" {
		what += fmt.Sprintf(" with --skip %q", cfg.Skip)
	}
	if cfg.SideBy != "" {
		what += fmt.Sprintf(" with /%s=VALUE in their names, for --side-by", cfg.SideBy)
	}
	if cfg.Filter != "" {
		what += fmt.Sprintf(" with --filter %q", cfg.Filter)
	}
	return exit.Failed(&NoneError{fmt.Sprintf("%s: %s", strings.Join(cfg.Packages, " "), what)}, f.advice())
}

// NoneError says that no benchmark was found.
type NoneError struct{ text string }

func (e *NoneError) Error() string { return e.text }

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
	if err != nil || strings.Contains(cfg.Bench, "/") || cfg.Skip != "" || cfg.Filter != "" || cfg.SideBy != "" {
		return nil
	}
	return f.declared(re, nil)
}

// skipped returns a warning that names the functions that match and gave no result, nil if there are none: package
// testing prints nothing of a benchmark that skips itself. found are the benchmarks that have results or failed.
func (f *Found) skipped(found []*record.Case) *record.Warn {
	cfg := f.Run.Config
	bench, err := regexp.Compile(cfg.Bench)
	if err != nil || strings.Contains(cfg.Bench, "/") || cfg.Skip != "" || cfg.Filter != "" || cfg.SideBy != "" {
		return nil
	}
	have, broken := map[function]bool{}, map[string]bool{}
	for _, c := range found {
		have[function{pkg: c.Pkg, name: topName(c.Name)}] = true
		if !f.bins[c.Bin-1].declares(c.Name) { // the binary failed as a whole
			broken[c.Pkg] = true
		}
	}
	names := f.declared(bench, func(pkg, name string) bool { return !broken[pkg] && !have[function{pkg: pkg, name: name}] })
	if len(names) == 0 {
		return nil
	}
	for i, n := range names {
		names[i] = strings.TrimPrefix(n, "Benchmark")
	}
	shown := names
	const most = 10
	if len(names) > most {
		shown = append(names[:most:most], "…")
	}
	return diagnosis.Warn(diagnosis.Skipped, diagnosis.Facts{"benchmarks": units.Plural(len(names), "benchmark"), "names": strings.Join(shown, ", ")})
}

// declared returns the benchmark functions that match a pattern, each once, and that keep keeps by package and name
// without Benchmark. A nil keep keeps all.
func (f *Found) declared(bench *regexp.Regexp, keep func(pkg, name string) bool) []string {
	var out []string
	for _, b := range f.firstLayouts() {
		for _, name := range b.sources.Benchmarks() {
			if !bench.MatchString(name) || slices.Contains(out, name) {
				continue
			}
			if keep == nil || keep(b.Pkg, strings.TrimPrefix(name, "Benchmark")) {
				out = append(out, name)
			}
		}
	}
	return out
}

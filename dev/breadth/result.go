//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// How a run of all benchmarks of a package ended.
const (
	completed = "completed"
	failed    = "failed"    // it exited with an error: the package has benchmarks that fail
	unbuilt   = "not built" // there was no test binary
	overLimit = "limit"     // it was ended after the limit
)

// outcome is what one run found.
type outcome struct {
	State   string            `json:"state"`
	Names   []string          `json:"names"`            // that have a result
	Failed  map[string]string `json:"failed,omitempty"` // name → why
	Seconds float64           `json:"seconds"`
	Why     string            `json:"why,omitempty"` // the error of a run that did not complete
}

// result is what is known of one package.
type result struct {
	Module  string  `json:"module"`
	Version string  `json:"version,omitempty"`
	Package string  `json:"package"`
	Go      string  `json:"go"`
	Plain   outcome `json:"plain"` // of go test
	Tare    outcome `json:"tare"`

	Measured       string  `json:"measured,omitempty"` // how the run ended that measures each benchmark; absent: there was none
	MeasureSeconds float64 `json:"measure_seconds,omitempty"`

	Missing []string `json:"missing,omitempty"` // found by go test alone
	Extra   []string `json:"extra,omitempty"`   // found by tare alone, although go test came to its end
	Alone   []string `json:"alone,omitempty"`   // fail under tare, and under go test if run alone
	Fails   []string `json:"fails,omitempty"`   // fail under tare, and not under go test
}

// compare fills in what both runs say of each other. alone reports whether a benchmark fails under go test if run alone.
func (r *result) compare(alone func(name string) bool) {
	plain, tared := set(r.Plain.Names), set(r.Tare.Names)
	ended := r.Plain.State == completed
	for _, name := range r.Plain.Names {
		if r.Tare.State != overLimit && !tared[name] && r.Tare.Failed[name] == "" {
			r.Missing = append(r.Missing, name)
		}
	}
	for _, name := range r.Tare.Names {
		if ended && !plain[name] {
			r.Extra = append(r.Extra, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Tare.Failed)) {
		switch {
		case r.Plain.Failed[name] != "":
		case alone(name):
			r.Alone = append(r.Alone, name)
		default:
			r.Fails = append(r.Fails, name)
		}
	}
}

// failBoth counts the benchmarks that fail under both.
func (r *result) failBoth() int { return len(r.Tare.Failed) - len(r.Fails) }

// both counts the benchmarks that both have found, those that fail under tare included.
func (r *result) both() (n int) {
	tared := set(r.Tare.Names)
	for _, name := range r.Plain.Names {
		if tared[name] || r.Tare.Failed[name] != "" {
			n++
		}
	}
	return n
}

func set(names []string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		out[n] = true
	}
	return out
}

func (p pkg) file(dir string) string {
	return filepath.Join(dir, strings.ReplaceAll(p.label(), "/", "_")+".json")
}

func isKnown(dir string, p pkg) bool {
	_, err := os.Stat(p.file(dir))
	return err == nil
}

func (r *result) pkg() pkg { return pkg{module: module{path: r.Module}, importPath: r.Package} }

// write writes the result into the directory, whole or not at all.
func (r *result) write(dir string) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := r.pkg().file(dir)
	return tempdir.WriteFile(name, append(text, '\n'), 0o600)
}

// readResults reads all results of a directory, the standard library's first.
func readResults(dir string) ([]*result, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []*result
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		r := &result{}
		if err := json.Unmarshal(text, r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *result) int {
		if (a.Module == std) != (b.Module == std) {
			return map[bool]int{true: -1, false: 1}[a.Module == std]
		}
		return strings.Compare(a.Package, b.Package)
	})
	return all, nil
}

// line returns a line of progress: what was found in one package.
func (r *result) line() string {
	text := fmt.Sprintf("%s: go test %s %d in %.1fs, tare %s %d in %.1fs, measured %s in %.1fs", r.pkg().label(),
		r.Plain.State, len(r.Plain.Names), r.Plain.Seconds, r.Tare.State, len(r.Tare.Names), r.Tare.Seconds, r.Measured, r.MeasureSeconds)
	for _, x := range []struct {
		what  string
		names []string
	}{{"MISSING", r.Missing}, {"EXTRA", r.Extra}, {"FAILS", r.Fails}, {"fails alone", r.Alone}} {
		if len(x.names) > 0 {
			text += fmt.Sprintf("; %d %s: %s", len(x.names), x.what, strings.Join(x.names[:min(3, len(x.names))], " "))
		}
	}
	return text
}

//go:build linux

package readers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/dev/attack/target"
)

// inputs is the number of damaged files of each reader at scale 1.
const inputs = 3000

// load reads the real files, or makes them.
func load(c target.Config) ([]reader, error) {
	var out []reader
	for _, make := range []func(target.Config) (reader, error){records, fewLines, pages, resumes, benchTexts, logs, profiles, scripts, programs, properties, histograms, schedules} {
		r, err := make(c)
		if err != nil {
			return nil, err
		}
		if len(r.bases) == 0 && r.draw == nil {
			return nil, fmt.Errorf("there are no files for the reader %s", r.name)
		}
		if r.inputs == 0 {
			r.inputs = inputs
		}
		out = append(out, r)
	}
	return out, nil
}

// files makes a base of each file that matches a pattern below the module's directory.
func files(c target.Config, pattern string, lines [][]string) ([]base, error) {
	paths, err := filepath.Glob(filepath.Join(c.Root, filepath.FromSlash(pattern)))
	if err != nil {
		return nil, err
	}
	var out []base
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		out = append(out, base{filepath.Base(path), data, lines})
	}
	return out, nil
}

const golden = "internal/cli/testdata/golden/"

// records are the record files of every kind. Each is read by all verbs that show records,
// and in the ways in which it is shown for users (manifest.txt).
func records(c target.Config) (reader, error) {
	other := filepath.Join(c.Root, golden+"bench.jsonl")
	lines := words("report -v FILE", "report --format jsonl FILE", "report --format json FILE", "report --format csv FILE", "report --format md FILE", "report --format html FILE",
		"report --format benchfmt FILE", "report --format jmh FILE", "report --format ycsb FILE", "report --format ycsb-json FILE",
		"compare FILE", "compare FILE "+other, "compare --format json "+other+" FILE", "asm FILE", "trace FILE", "sample FILE", "contrast FILE",
		"selftest --show FILE", "hist FILE", "hist plot FILE", "hist convert --format hlog FILE")
	bases, err := files(c, golden+"*.jsonl", lines)
	if err != nil {
		return reader{}, err
	}
	manifest, err := os.ReadFile(filepath.Join(c.Root, golden+"manifest.txt"))
	if err != nil {
		return reader{}, err
	}
	for i := range bases {
		bases[i].lines = slices.Concat(bases[i].lines, shown(c, string(manifest), bases[i].name))
	}
	return reader{name: "records", suffix: ".jsonl", bases: bases}, nil
}

// pages are the pages of records of a few kinds, which have the records inside.
func pages(c target.Config) (reader, error) {
	other := filepath.Join(c.Root, golden+"bench.jsonl")
	lines := words("report FILE", "report --format jsonl FILE", "report --format html FILE", "compare FILE "+other, "asm FILE", "hist FILE")
	var all []base
	for _, name := range []string{"bench", "bench-sides", "asm", "load"} {
		out := filepath.Join(c.Work, name+".html")
		cmd := exec.Command(c.Tare, "report", "-o", out, filepath.Join(c.Root, golden+name+".jsonl"))
		if text, err := cmd.CombinedOutput(); err != nil {
			return reader{}, fmt.Errorf("the page of %s: %w: %s", name, err, text)
		}
		bases, err := files(target.Config{Root: c.Work}, name+".html", lines)
		if err != nil {
			return reader{}, err
		}
		all = append(all, bases...)
	}
	return reader{name: "pages", suffix: ".html", bases: all}, nil
}

// shown are the lines of the manifest that show a record, without those that all records have.
func shown(c target.Config, manifest, name string) (out [][]string) {
	for l := range strings.Lines(manifest) {
		args := strings.Fields(l)[1:]
		at := slices.Index(args, name)
		if at < 0 || args[0] == "report" {
			continue
		}
		for i := range args {
			if i != at && strings.HasSuffix(args[i], ".jsonl") {
				args[i] = filepath.Join(c.Root, golden+args[i])
			}
		}
		args[at] = place
		out = append(out, args)
	}
	return out
}

// resumes are records of tare bench that are gone on with. Their sources are not on this
// machine, so that all is read and nothing is measured.
func resumes(c target.Config) (reader, error) {
	var all []base
	for _, name := range []string{"killed", "partial", "bench", "bench-sides", "resumed", "bench-layouts", "bench-prof"} {
		bases, err := files(c, golden+name+".jsonl", words("bench --no-wait --resume FILE"))
		if err != nil {
			return reader{}, err
		}
		all = append(all, bases...)
	}
	return reader{name: "records to resume", suffix: ".jsonl", bases: all}, nil
}

func benchTexts(c target.Config) (reader, error) {
	other := filepath.Join(c.Root, "internal/cli/testdata/benchstat/2-new.txt")
	bases, err := files(c, "internal/cli/testdata/benchstat/*.txt", words("compare FILE "+other, "compare --format json "+other+" FILE", "compare --format md FILE FILE",
		"compare --format csv x=FILE y="+other, "compare --format benchfmt FILE "+other, "compare -v --gate slower:1000000% "+other+" FILE"))
	return reader{name: "benchmark texts", suffix: ".txt", bases: bases}, err
}

func logs(c target.Config) (reader, error) {
	own := filepath.Join(c.Root, "hist/testdata/own.hlog")
	lines := words("hist FILE", "hist --format json --tag * FILE", "hist --correct 1ms FILE", "hist convert --format hgrm FILE",
		"hist convert --format csv FILE", "hist convert --format hlog FILE", "hist convert --format json FILE", "hist cut --from 1 --to 3 FILE", "hist merge FILE "+own,
		"hist merge --total FILE", "hist plot FILE "+own, "hist plot --over-time FILE")
	bases, err := files(c, "hist/testdata/*.hlog", lines)
	return reader{name: "histogram logs", suffix: ".hlog", bases: bases}, err
}

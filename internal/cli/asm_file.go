package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/programrun"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/render"
	"github.com/tarebench/tare/record"
)

// benchmarkFlagNames are the flags that only benchmarks have.
var benchmarkFlagNames = []string{
	"skip", "filter", "gomaxprocs", "forks", "iterations", "time", "benchtime", "tags", "seed", "against", "side", "toolchain", "side-env", "side-flags", "dry-run",
}

// showFiles shows what a file says: records of tare, a profile, or perf script's text.
func (f *asmFlags) showFiles(cmd *cobra.Command, st streams, args []string) error {
	measuring := slices.Concat([]string{"timeout", "env"}, measuringFlags(f.program.Options(), job.OnAsm), benchmarkFlagNames)
	if err := refuseFlags(cmd, "a file is shown as it is", measuring...); err != nil {
		return err
	}
	format, err := f.bench.output.check()
	if err != nil {
		return err
	}
	in, err := programrun.OpenInput(st.in, args[0])
	if err != nil {
		return err
	}
	defer in.Close()
	var cases []result.Profiled[record.Asm]
	if in.IsRecord() {
		cases, err = f.records(st, args, in)
	} else {
		cases, err = f.profile(cmd, st, args, in)
	}
	if err != nil {
		return err
	}
	return f.bench.output.Show(st.out, string(format), args[0], f.cases(cases))
}

// profile returns the samples of a profile.
func (f *asmFlags) profile(cmd *cobra.Command, st streams, args []string, in *programrun.Input) ([]result.Profiled[record.Asm], error) {
	if err := refuseFlags(cmd, "a profile is not of benchmarks", "bench"); err != nil {
		return nil, err
	}
	if out := f.bench.output.Records; out != "" {
		return nil, usageError(fmt.Errorf("-o %s: %s is a profile, and no record", out, in.Title), "-o FILE.json or FILE.txt writes the listing")
	}
	if f.bench.output.format == string(render.JSONL) {
		return nil, usageError(fmt.Errorf("--format jsonl: %s is a profile, and no record", in.Title), "--format json writes the listing")
	}
	if len(args) > 2 {
		return nil, usageError(fmt.Errorf("asm: too many arguments: %s; give a profile and, after it, the program's file", args[2]), "")
	}
	binary := ""
	if len(args) == 2 {
		binary = args[1]
	}
	a, warnings, err := in.Asm(binary, asm.Config{Whole: f.cfg.Func})
	if err != nil {
		return nil, err
	}
	printWarnings(st.err, recorded(warnings), listingCodes...)
	return []result.Profiled[record.Asm]{{Name: in.Title, Forks: []*record.Asm{a}}}, nil
}

// listingCodes are the warnings that the listing itself says.
var listingCodes = []string{diagnosis.FewSamples, diagnosis.LostSamples}

// records returns what was sampled in records, the first of which is open.
func (f *asmFlags) records(st streams, args []string, first io.Reader) (cases []result.Profiled[record.Asm], err error) {
	if err := f.bench.output.CheckCopy(f.bench.output.format, args); err != nil {
		return nil, err
	}
	f.compare = len(args) == 2
	for i, path := range args {
		r := first
		if i > 0 {
			file, err := input.Open(path, st.in)
			if err != nil {
				return nil, err
			}
			defer file.Close()
			r = file
		}
		res, err := result.Read(r, path)
		if res.Run == nil && err != nil {
			return nil, recordError(err)
		}
		if err != nil {
			printError(st.err, nil, recordError(err))
		}
		found := res.Listings
		if len(found) == 0 && err != nil {
			return nil, exit.Silent(exit.Failure) // printed above
		}
		if len(found) == 0 {
			return nil, failed(fmt.Errorf("%s: %w", path, whyNothing(res)), "record it by tare asm -o FILE.jsonl, or tare bench --prof asm -o FILE.jsonl")
		}
		if found, err = chosen("", found, "sampled", f.bench.job.Bench); err != nil {
			return nil, err
		}
		if f.compare {
			for j := range found {
				found[j].Side = strings.TrimSuffix(filepath.Base(path), ".jsonl")
				if i > 0 && path == args[0] {
					found[j].Side += " again" // sides differ by name
				}
			}
		}
		f.printNotes(st, res)
		cases = append(cases, found...)
	}
	if len(args) == 1 {
		f.compare = len(sidesOf(cases)) == 2
	}
	return cases, nil
}

// sidesOf returns the names of the sides that were sampled.
func sidesOf(cases []result.Profiled[record.Asm]) map[string]bool {
	names := map[string]bool{}
	for _, c := range cases {
		names[c.Side] = true
	}
	return names
}

// printNotes prints the warnings of a run under -v.
func (f *asmFlags) printNotes(st streams, res *result.Result) {
	if f.bench.output.verbose {
		printWarnings(st.err, warningsOf(res), listingCodes...)
	}
}

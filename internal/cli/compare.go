package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/input"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/benchtext"
	"github.com/tarebench/tare/internal/result/gate"
	"github.com/tarebench/tare/internal/show/render"
)

// compareFlags are the flags of tare compare.
type compareFlags struct {
	output     outputFlags
	threshold  float64
	correction string
	test       string
	confidence float64
	gates      []string
	by         string
	strict     bool
	stacks     selectionFlags
	set        func(flag string) bool
	team       teamFlags
}

const compareLong = `tare compare says for each benchmark whether the second file is faster or slower
than the first, with an interval on the ratio. Files are records of tare bench, or
texts in Go's benchmark format. Separate runs are not interleaved, so that a
change of the machine between them looks like a change of the code. The output says
so. Prefer tare bench --against, which interleaves both sides.

A single record of tare bench --against is compared within itself. --by impl compares benchmarks
of one file that differ in one key of their names, /impl=a and /impl=b, as benchstat -col does;
tare bench --side-by impl measures them for it.

Of records of tare load, percentiles and the rate of intervals are compared, with respect to
that intervals which follow each other are alike. Two runs are two draws: no verdict is
trusted. Prefer tare load --side, which measures both in turn.

Records of tare sample, tare trace, or tare bench with either as its profiler, are also
compared function by function: the shares of each side, their difference with its interval, and
whether it exceeds the noise of sampling. -o diff.html and -o diff.svg are a flame graph of the
difference; -v prints all functions.`

const compareExample = `  tare compare old.jsonl new.jsonl
  tare compare main=a.txt branch=b.txt
  tare compare --by impl run.jsonl
  tare compare --gate slower:5% --format md old.jsonl new.jsonl
  tare compare --sort total --focus 'json' old-sample.jsonl new-sample.jsonl`

func newCompare(s streams) *cobra.Command {
	f := &compareFlags{}
	return verb{
		use:      "compare [flags] [NAME=]FILE [NAME=]FILE...",
		short:    "Compare record files, or benchmark texts; the first is the base",
		long:     compareLong,
		example:  compareExample,
		register: f.register,
		run: func(cmd *cobra.Command, args []string) error {
			f.set = cmd.Flags().Changed
			if err := f.team.apply(cmd, nil); err != nil {
				return err
			}
			if f.team.show {
				return f.team.print(s, cmd.Flags())
			}
			if len(args) == 0 {
				return usageError(errors.New("compare needs files"), "tare compare OLD NEW")
			}
			return f.run(s, args)
		},
	}.command()
}

func (f *compareFlags) register(fl *pflag.FlagSet) {
	flags.Threshold(fl, &f.threshold, 0.03, "change")
	flags.Correction(fl, &f.correction, job.Corrections...)
	flags.Confidence(fl, &f.confidence, "of the intervals")
	flags.Test(fl, &f.test, "", job.Tests...)
	fl.StringVar(&f.by, "by", "", "of one file, compare benchmarks that differ in this `key` of their names: impl for /impl=a and /impl=b; the first value is the base")
	flags.Gates(fl, &f.gates, "a file")
	flags.Strict(fl, &f.strict, "any verdict is not trusted")
	f.team.register(fl)
	f.stacks.registerBoth(fl)
	f.output.showOnly, f.output.suffixes = true, tableSuffixes
	f.output.formats = slices.DeleteFunc(render.Formats(), func(f render.Format) bool { return f == render.JSONL || f == render.JMH })
	f.output.register(fl, tableDetails)
}

func (f *compareFlags) run(s streams, files []string) error {
	switch render.Format(f.output.format) {
	case render.JSONL:
		return usageError(errors.New("--format jsonl: the records are the input"), "")
	case render.JMH:
		return usageError(errors.New("--format jmh: it holds results, and no comparisons"), "tare report --format jmh FILE writes the results of a record, also those of two sides")
	}
	format, err := f.output.check()
	if err != nil {
		return err
	}
	gates, err := gate.Parse(f.gates)
	if err != nil {
		return err
	}
	shown, err := f.shown()
	if err != nil {
		return err
	}
	res, err := f.read(s, files)
	if err != nil {
		return err
	}
	profiles, err := render.ProfileDifferences(res, shown)
	if err != nil {
		return failed(fmt.Errorf("%s: %w", strings.Join(files, ", "), err), "")
	}
	if err := gate.Check(gates, res, gate.LostNotDecided); err != nil { // formats have what gates say
		return err
	}
	onlyLost := len(res.Lost) > 0 && (len(files) == 1 || len(res.Gates) > 0) // of one run, it was measured; of several, a gate is about it
	if len(res.Comparisons) == 0 && !onlyLost && (len(profiles) == 0 || f.team.given("gate") || f.strict) {
		return failed(fmt.Errorf("%s: %s", strings.Join(files, ", "), notCompared(res)), "")
	}
	if len(profiles) == 0 && shown.Any() {
		return usageError(fmt.Errorf("%s: no profile is in all of them, for --sort, --focus and --ignore", strings.Join(files, ", ")), "leave them out")
	}
	write := f.write(res, profiles)
	err = f.output.Show(s.out, string(format), "", func(w io.Writer, format string) error {
		if render.Format(format) == render.HTML {
			return comparedPage(w, res, profiles, shown.Selection, files)
		}
		return write(w, format)
	})
	if err != nil {
		return err
	}
	return f.verdict(s, gates, res)
}

// notCompared says why nothing is compared: what each side has, a few of many, or which units of the benchmark that
// they have in common.
func notCompared(res *result.Result) string {
	const most, longest = 6, 60
	names, inUnits := &perSide{}, map[string]*perSide{}
	for i := range res.Results {
		r := &res.Results[i]
		name := termtext.Clip(res.NameOf(r.Pkg, r.Name, r.Procs), longest)
		names.add(r.Side, name)
		if inUnits[name] == nil {
			inUnits[name] = &perSide{}
		}
		if r.Unit != "" {
			inUnits[name].add(r.Side, r.Unit)
		}
		for _, m := range r.Metrics {
			inUnits[name].add(r.Side, m.Unit)
		}
	}
	for i := range res.Lost {
		l := &res.Lost[i]
		if slices.Contains(names.of[l.Side], termtext.Clip(l.Label(), longest)) {
			return "lost: " + l.String()
		}
	}
	for i := range res.Results {
		r := &res.Results[i]
		name := termtext.Clip(res.NameOf(r.Pkg, r.Name, r.Procs), longest)
		if u := inUnits[name]; len(u.sides) > 1 && len(u.sides) == len(names.sides) {
			return "no benchmark has the same unit in all of them: of " + name + u.list(most)
		}
	}
	return "no benchmark is in all of them" + strings.TrimSuffix(";"+names.list(most), ";")
}

// perSide are texts of each side, in order.
type perSide struct {
	sides []string
	of    map[string][]string
}

func (p *perSide) add(side, text string) {
	if p.of[side] == nil {
		p.sides = append(p.sides, side)
	}
	if p.of == nil {
		p.of = map[string][]string{}
	}
	if !slices.Contains(p.of[side], text) {
		p.of[side] = append(p.of[side], text)
	}
}

// list names them all, most of each side.
func (p *perSide) list(most int) string {
	var out []string
	for _, side := range p.sides {
		out = append(out, fmt.Sprintf(" %s has %s", side, units.List(p.of[side], most)))
	}
	return strings.Join(out, ";")
}

// read returns the comparison of all files, each a side.
func (f *compareFlags) read(s streams, files []string) (*result.Result, error) {
	config, err := f.config()
	if err != nil {
		return nil, err
	}
	var names []string
	var runs []*result.Builder // of load
	all := result.NewBuilder()
	called := map[string]string{} // paths by the names of their sides
	for i, arg := range files {
		name, path := sideOf(arg, i, len(files))
		if first, ok := called[name]; ok {
			return nil, usageError(fmt.Errorf("%s and %s would both be called %s", first, path, name), "give each file a name of its own: tare compare NAME=FILE …")
		}
		called[name] = path
		one := result.NewBuilder()
		if one.SideBy(f.by); len(files) > 1 {
			one.WholeNames()
		}
		if err := readInto(one, s.in, path); err != nil {
			return nil, err
		}
		if f.by != "" && (len(files) > 1 || one.ComparedBy() == "") {
			return nil, usageError(fmt.Errorf("--by %s compares benchmarks of one file with one side", f.by), "tare compare --by impl FILE")
		}
		if one.Result().IsLoad() && len(files) > 1 {
			names, runs = append(names, name), append(runs, one)
			continue
		}
		if len(files) == 1 && !hasSides(one.Result()) {
			if f.by != "" {
				return nil, failed(fmt.Errorf("%s: no two benchmarks differ in /%s=VALUE alone", path, strings.TrimPrefix(f.by, "/")), "tare report "+path+" shows their names")
			}
			return nil, usageError(fmt.Errorf("%s has but one side to compare", path), "name a second file: tare compare "+path+" NEW; --by KEY compares benchmarks of one file")
		}
		if len(files) == 1 && one.Result().LoadPairs != nil {
			return one.Result(), nil
		}
		if len(files) == 1 {
			one.Judge(config)
			return one.Result(), nil
		}
		if len(runs) > 0 {
			return nil, usageError(fmt.Errorf("%s is no load run, and %s is one", path, files[0]), "compare runs of one kind")
		}
		if err := all.Absorb(one, name); err != nil {
			return nil, usageError(fmt.Errorf("%s: %w", path, err), "compare it by itself: tare compare "+path)
		}
	}
	if len(runs) > 0 {
		res, err := result.CompareLoads(names, runs, config)
		if err != nil {
			return nil, failed(err, "lay them over each other: tare hist plot OLD NEW -o both.svg")
		}
		return res, nil
	}
	all.Judge(config)
	return all.Result(), nil
}

func (f *compareFlags) config() (result.Judgement, error) {
	p := problems{}
	p.correction(f.correction)
	p.test(f.test)
	p.confidence(f.confidence)
	if err := p.Err(); err != nil {
		return result.Judgement{}, err
	}
	j := result.Judgement{Threshold: f.threshold, Correction: f.correction, Test: f.test, Confidence: f.confidence, Thresholds: f.team.thresholds()}
	if !f.set("threshold") {
		j.Threshold = 0
	}
	if !f.set("correction") {
		j.Correction = ""
	}
	if !f.set("confidence") {
		j.Confidence = 0
	}
	return j, nil
}

// sideOf returns the name of a file's side: the one given, "old" and "new" for two
// files, else the file's own.
func sideOf(arg string, i, n int) (name, path string) {
	if name, path, ok := strings.Cut(arg, "="); ok && name != "" && !strings.ContainsAny(name, `/\.`) {
		return name, path
	}
	if n == 2 {
		return []string{job.SideOld, job.SideNew}[i], arg
	}
	return strings.TrimSuffix(filepath.Base(arg), filepath.Ext(arg)), arg
}

// readSide reads a record, or a text in Go's benchmark format, that is one side of several.
func readSide(stdin io.Reader, path string) (*result.Builder, error) {
	b := result.NewBuilder()
	b.WholeNames()
	return b, readInto(b, stdin, path)
}

// readInto adds a record, or a text in Go's benchmark format, to b.
func readInto(b *result.Builder, stdin io.Reader, path string) error {
	in, err := input.Open(path, stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	path = in.Name
	r := bufio.NewReader(in)
	if first, _ := r.Peek(1); len(first) == 1 && first[0] != '{' {
		lines, err := benchtext.Read(r, path)
		if err != nil {
			return failed(firstOf(err), "a file to compare is a record of tare bench, or the output of go test -bench")
		}
		for _, l := range lines {
			b.Add(l)
		}
		return nil
	}
	b.KeepIntervals()
	if err := b.ReadAll(r, path); err != nil {
		return recordError(err)
	}
	return nil
}

func (f *compareFlags) verdict(s streams, gates []*gate.Gate, res *result.Result) error {
	return judgeComparisons(s.err, gates, res, f.strict)
}

// judgeComparisons returns the error with which a command that compares ends: a gate is missed or not decided, or
// with strict a verdict is not trusted.
func judgeComparisons(w io.Writer, gates []*gate.Gate, res *result.Result, strict bool) error {
	if err := gate.Report(w, gates, res); err != nil {
		return err
	}
	for _, c := range res.Comparisons {
		if strict && !c.Trusted {
			exit.Message(w, "error", fmt.Sprintf("--strict: the verdict on %s is not trusted: %s", res.NameOf(c.Pkg, c.Name, c.Procs), strings.Join(c.Reasons, ", ")))
			return exit.Silent(exit.Untrusted)
		}
	}
	return nil
}

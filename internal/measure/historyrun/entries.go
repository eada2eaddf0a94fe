package historyrun

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/git"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/record"
)

// binDigits is how many digits of a digest are kept: enough to distinguish the binaries of one package.
const binDigits = 16

// Options say how a record becomes entries.
type Options struct {
	Dir     string // of the repository that knows the commits' trees; "" for none
	Commit  string // of a record without sides, instead of the one it names
	Machine string // name of the machine, instead of its [MachineID]
	Anchor  string // the commit that joins sequences; "" for none
}

// Skipped is a side of a record that makes no entry.
type Skipped struct {
	Side string // "" for a record without sides
	Why  string // one line
}

// Entries returns an entry for each side of a run of benchmarks that is of a commit. bins are its binaries.
func Entries(ctx context.Context, res *result.Result, bins map[int]*record.Bin, o Options) (entries []*history.Entry, skipped []Skipped) {
	if res.Run == nil || record.KindOf(res.Run) != record.KindBench {
		return nil, []Skipped{{Why: "is no record of tare bench"}}
	}
	for _, side := range sidesOf(res.Run, o) {
		e, why := entryOf(res, bins, side, o)
		if why != "" {
			skipped = append(skipped, Skipped{side.Name, why})
			continue
		}
		e.Tree = treeOf(ctx, o.Dir, e.Commit)
		entries = append(entries, e)
	}
	return entries, skipped
}

// sidesOf returns the sides of a run; of one without, a side without a name.
func sidesOf(run *record.Run, o Options) []record.Side {
	if len(run.Sides) > 0 {
		return run.Sides
	}
	side := record.Side{Revision: run.Revision, Dirty: run.Dirty}
	if o.Commit != "" {
		side = record.Side{Revision: o.Commit}
	}
	return []record.Side{side}
}

func entryOf(res *result.Result, bins map[int]*record.Bin, side record.Side, o Options) (e *history.Entry, why string) {
	if side.Revision == "" {
		return nil, "names no commit"
	}
	run := res.Run
	e = &history.Entry{
		Commit: side.Revision, Dirty: side.Dirty, Time: run.Start.UTC(), Machine: MachineID(run.Env), Described: Describe(run.Env), Toolchain: run.Env.Go,
		Settings: settings(run, side, bins), Sequence: sequence(run), Plan: PlanOf(&run.Config), Anchor: side.Revision == o.Anchor,
	}
	if o.Machine != "" {
		e.Machine = o.Machine
	}
	if side.Toolchain != "" {
		e.Toolchain = side.Toolchain
	}
	bin := map[string]string{} // digests by package
	for _, b := range bins {
		if b.Side == side.Name && b.Purpose == "" {
			bin[b.Pkg] = binOf(b)
		}
	}
	for i := range res.Results {
		if b := &res.Results[i]; b.Side == side.Name {
			addBenchmark(e, b, bin[b.Pkg])
		}
	}
	addTwins(e, res.Run, bins, side.Name, bin)
	if len(e.Series)+len(e.Gaps) == 0 {
		return nil, "has no result"
	}
	return e, ""
}

// sequence returns the identifier that all entries of a run share.
func sequence(run *record.Run) string {
	return fmt.Sprintf("%s-%s", run.Start.UTC().Format("20060102T150405.000"), run.Seed)
}

// addBenchmark adds the series of a row, or why it has none.
func addBenchmark(e *history.Entry, b *result.Benchmark, bin string) {
	name := b.Name
	if b.Role != "" {
		name += " " + b.Role
	}
	if b.Failed != "" {
		e.Gaps = append(e.Gaps, history.Gap{Pkg: b.Pkg, Name: name, Why: termtext.OneLine(b.Failed)})
		return
	}
	key := history.Key{Pkg: b.Pkg, Name: name, Procs: b.Procs}
	add := func(unit string, main bool, values []result.Number) {
		s := history.Series{Key: key, Unit: unit, Main: main, Better: record.UnitOf(unit).Better, N: b.N, Bin: bin}
		for _, x := range values {
			if v := float64(x); !math.IsNaN(v) && !math.IsInf(v, 0) {
				s.Values = append(s.Values, v)
			}
		}
		if main {
			for _, w := range b.Warnings {
				s.Warnings = append(s.Warnings, w.Code)
			}
		}
		if len(s.Values) > 0 {
			e.Series = append(e.Series, s)
		}
	}
	add(b.Unit, true, b.Values)
	for _, m := range b.Metrics {
		add(m.Unit, false, m.Values)
	}
}

// addTwins adds gaps for packages whose test binary another side has, which was measured instead.
func addTwins(e *history.Entry, run *record.Run, bins map[int]*record.Bin, name string, bin map[string]string) {
	for _, pkg := range slices.Sorted(maps.Keys(bin)) {
		if slices.ContainsFunc(e.Series, func(s history.Series) bool { return s.Pkg == pkg }) {
			continue
		}
		for _, side := range run.Sides {
			same := func(b *record.Bin) bool {
				return b.Side == side.Name && b.Pkg == pkg && bin[pkg] != "" && binOf(b) == bin[pkg]
			}
			if side.Name != name && side.Revision != "" && containsBin(bins, same) {
				e.Gaps = append(e.Gaps, history.Gap{Pkg: pkg, Why: "same test binary as " + side.Revision[:min(10, len(side.Revision))], Same: side.Revision})
				break
			}
		}
	}
}

func containsBin(bins map[int]*record.Bin, is func(*record.Bin) bool) bool {
	for _, b := range bins {
		if is(b) {
			return true
		}
	}
	return false
}

// quiet are settings that make no two entries incomparable: the machine says them, each build of tare has them, they follow
// from go.mod, or others say their effect.
var quiet = []string{"GOOS", "GOARCH", "-trimpath", "DefaultGODEBUG", "GOFLAGS"}

// settings returns those of build and run that differ between entries that must not be compared.
func settings(run *record.Run, side record.Side, bins map[int]*record.Bin) map[string]string {
	out := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(bins)) {
		if b := bins[id]; b.Side == side.Name && b.Purpose == "" {
			maps.Copy(out, b.Build)
			break // a run builds all packages of a side alike
		}
	}
	for _, name := range quiet {
		delete(out, name)
	}
	if out["CGO_ENABLED"] == "1" {
		delete(out, "CGO_ENABLED")
	}
	c := &run.Config
	for name, value := range map[string]string{
		"GOGC": c.GOGC, "GOMEMLIMIT": c.MemoryLimit, "-tags": c.Tags, "args": strings.Join(c.Args, " "),
		"env": strings.Join(slices.Concat(c.Setenv, side.Setenv), " "), "with": with(c),
	} {
		if value != "" {
			out[name] = value
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// with returns the files that commits were given, by their paths and the beginnings of their digests.
func with(c *record.Config) string {
	var out []string
	for _, f := range c.With {
		out = append(out, f.Path+":"+f.SHA256[:min(len(f.SHA256), 8)])
	}
	return strings.Join(out, " ")
}

// PlanOf returns a hash of what chooses benchmarks, and of the settings with which they are measured. Entries with equal hashes
// measured the same benchmarks in the same way.
func PlanOf(c *record.Config) string {
	text := fmt.Sprintf("%q %q %q %q %v %q", c.Packages, c.Bench, c.Skip, c.Filter, c.CPU, c.Args)
	for _, setting := range []string{c.Tags, c.GOGC, c.MemoryLimit, strings.Join(c.Setenv, " "), c.Benchtime, with(c)} {
		if setting != "" {
			text += fmt.Sprintf(" %q", setting)
		}
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// treeOf returns the tree of a commit; "" where it is not known.
func treeOf(ctx context.Context, dir, commit string) string {
	if dir == "" {
		return ""
	}
	out, err := git.Call{Dir: dir, Args: []string{"rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{tree}"}}.Output(ctx)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(out)
}

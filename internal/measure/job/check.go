package job

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/measure/profilers"
	"github.com/tarebench/tare/internal/numbers/plan"
	"github.com/tarebench/tare/internal/process/fork"
	"github.com/tarebench/tare/internal/process/memorymax"
	"github.com/tarebench/tare/internal/profile/trace"
	"github.com/tarebench/tare/record"
	"github.com/tarebench/tare/stat"
)

// Validate returns one error that names every contradiction, by the names of the options.
func (b *Bench) Validate() error {
	p := &exit.Problems{}
	b.checkLengths(p)
	b.checkSpread(p)
	b.checkProcess(p)
	b.checkWords(p)
	b.checkComparison(p)
	b.checkProfilers(p)
	return p.Err()
}

func (b *Bench) checkLengths(p *exit.Problems) {
	p.AtLeast("forks", b.Forks, 1)
	p.AtLeast("warmup", b.Warmup, 0)
	p.AtLeast("iterations", b.Iterations, 1)
	p.AddIf(b.Time <= 0, "--time %s is not above 0", b.Time)
	for name, d := range map[string]time.Duration{"timeout": b.Timeout, "budget": b.Budget, "spread": b.Spread} {
		checkPositive(p, b.Given, name, d)
	}
	p.AddIf(b.Operations != "" && !fixedN.MatchString(b.Operations), "--benchtime %q is not a count such as 100x; for a duration use --time", b.Operations)
	p.AddIf(b.Mode == record.ModeTime && b.Operations != "", "--mode time and --benchtime %s contradict each other", b.Operations)
	p.AddIf(b.Precision > 0 && b.Order == plan.Grouped, "--precision needs --order interleaved: it checks all benchmarks after a round")
	if need := stat.MinSamples(b.Confidence); b.Given["confidence"] && validConfidence(b.Confidence) && b.Precision == 0 && b.Forks > 0 && !b.Quick && b.Forks < need {
		p.Add("a %g %% interval needs at least %d forks, --forks is %d", 100*b.Confidence, need, b.Forks)
	}
}

var fixedN = regexp.MustCompile(`^[1-9][0-9]{0,11}x$`)

func (b *Bench) checkSpread(p *exit.Problems) {
	switch {
	case b.Spread <= 0:
	case b.Forks < record.MinBlocks && b.Forks > 0:
		p.Add("--spread needs at least %d forks, one for each block; --forks is %d", record.MinBlocks, b.Forks)
	case b.Order == plan.Grouped:
		p.Add("--spread needs --order interleaved: each block measures all benchmarks")
	case b.Precision > 0:
		p.Add("--spread and --precision contradict each other: one knows when it ends, the other does not")
	case b.Budget > 0 && b.Budget < b.Spread:
		p.Add("--budget %s is less than --spread %s", b.Budget, b.Spread)
	}
}

// checkProcess checks what forks get.
func (b *Bench) checkProcess(p *exit.Problems) {
	if n, err := strconv.Atoi(b.GOGC); b.GOGC != "" && b.GOGC != "off" && (err != nil || n < 0) {
		p.Add("--gogc %q is neither a percentage nor off", b.GOGC)
	}
	p.AddIf(b.MemoryMax > 0 && b.MemoryMax < memorymax.Least, "--memory-max %s is less than the 16MiB that a test binary and tare's launcher need", units.Bytes(b.MemoryMax))
	checkSettings(p, b.Setenv)
	_, err := binaryArgs(b.Args, b.Short)
	p.AddError(err)
}

// checkWords checks options that take one of some words, patterns and the seed.
func (b *Bench) checkWords(p *exit.Problems) {
	if b.Mode != "" && b.Mode != record.ModeN && b.Mode != record.ModeTime {
		p.Add("--mode %q is neither N nor time", b.Mode)
	}
	checkWord(p, "order", b.Order, orders)
	checkWord(p, "correction", b.Correction, Corrections)
	checkWord(p, "test", b.Test, Tests)
	for _, x := range [][2]string{{"bench", b.Bench}, {"skip", b.Skip}} {
		if err := fork.CheckPattern(x[1]); err != nil {
			p.Add("--%s %q: %v", x[0], x[1], err)
		}
	}
	checkSeed(p, b.Seed, b.Given)
}

// checkSeed checks the seed. One that is given must not be empty.
func checkSeed(p *exit.Problems, seed string, given Given) {
	if _, err := record.ParseSeed(seed); err != nil && (seed != "" || given["seed"]) {
		p.Add("--seed: %v", err)
	}
}

// checkWord checks an option that takes one of some words.
func checkWord(p *exit.Problems, name, word string, words []string) {
	if !slices.Contains(words, word) {
		p.Add("--%s %q is none of %s", name, word, strings.Join(words, ", "))
	}
}

func (b *Bench) checkComparison(p *exit.Problems) {
	sides, err := b.Sides.List()
	p.AddError(err)
	checkConfidence(p, b.Confidence)
	if b.Layouts < 0 || b.Layouts == 1 {
		p.Add("--layouts %d is less than 2", b.Layouts)
	}
	if len(b.With) > 0 && len(sides) == 0 && !b.Sides.Others {
		p.Add("--with gives revisions a file, and there are none: --against REV")
	}
	if b.SideBy != "" && (len(sides) > 0 || b.Sides.Others) {
		p.Add("--side-by %s compares benchmarks of one side, and there are others: leave out --against and --side", b.SideBy)
	}
	if by := strings.TrimPrefix(b.SideBy, "/"); strings.ContainsAny(by, "/=") || by == "" && (b.SideBy != "" || b.Given["side-by"]) {
		p.Add("--side-by %q is not the key of a part of names, such as impl for /impl=a", b.SideBy)
	}
	for _, name := range comparing {
		if b.Given[name] && len(sides) == 0 && b.SideBy == "" && !b.Sides.Others {
			p.Add("--%s needs sides to compare: --against REV, or --side NAME=DIR", name)
		}
	}
	dir, err := os.Getwd()
	p.AddError(err)
	_, err = filesWith(dir, b.With)
	p.AddError(err)
}

// comparing are options that mean nothing without sides.
var comparing = []string{"threshold", "correction"}

func (b *Bench) checkProfilers(p *exit.Problems) {
	for _, name := range b.Profilers {
		if !profilers.Known(name) {
			p.Add("--prof %q is none of %s", name, profilers.Names())
		}
	}
	switch {
	case len(b.Profilers) == 0 && b.Given["prof-forks"] && !b.Given["prof"]:
		p.Add("--prof-forks %d is of --prof, which is not given", b.ProfForks)
	case len(b.Profilers) == 0 && b.Given["prof"]:
		p.Add("--prof names no profiler: there are %s", profilers.Names())
	case b.ProfForks < 1:
		p.Add("--prof-forks %d is less than 1", b.ProfForks)
	}
	traced := slices.Contains(b.Profilers, trace.Name)
	p.AddIf(!traced && len(b.Include)+len(b.Exclude) > 0, "--include and --exclude are about --prof trace")
	if err := (trace.Config{Match: b.Include, Skip: b.Exclude}).Validate(); traced && err != nil {
		p.Add("--include, --exclude: %s", termtext.OneLine(err.Error()))
	}
}

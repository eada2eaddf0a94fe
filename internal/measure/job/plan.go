package job

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/tarebench/tare/record"
)

// Plan returns the head of a record with what is measured: the configuration, the sides, the seed and the directory.
// Revisions are not resolved yet. A seed that is not given is drawn.
func (b *Bench) Plan() (record.Run, error) {
	b.Complete()
	if err := b.Validate(); err != nil {
		return record.Run{}, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return record.Run{}, err
	}
	run := record.Run{Kind: record.KindBench, Dir: dir, Seed: SeedOf(b.Seed), Config: b.config(dir)}
	run.Sides, _ = b.Sides.List() // checked with the other options
	if len(run.Sides) == 0 && b.SideBy == "" {
		run.Config.Threshold, run.Config.Correction = 0, "" // nothing in the record is compared
	}
	return run, nil
}

// SeedOf returns the seed that a text says, or draws one for a text that says none.
func SeedOf(text string) record.Seed {
	if seed, err := record.ParseSeed(text); err == nil {
		return seed
	}
	return record.Seed(rand.Uint32())
}

// config returns the configuration of a job that was checked.
func (b *Bench) config(dir string) record.Config {
	c := record.Config{
		Packages: b.Packages, Bench: b.Bench, Skip: b.Skip, Filter: b.Filter, CPU: b.Procs,
		Forks: b.Forks, Warmup: b.Warmup, Iterations: b.Iterations, Time: b.Time, ShortIterations: b.ShortIterations, Benchtime: b.Operations,
		Mode: b.Mode, Timeout: b.Timeout, Precision: b.Precision, Budget: b.Budget, Spread: b.Spread,
		GOGC: b.GOGC, MemoryMax: b.MemoryMax, GCBefore: b.GCBefore, Setenv: b.Setenv, Tags: b.Tags,
		Threshold: b.Threshold, Test: b.Test, Correction: b.Correction, Confidence: b.Confidence, Layouts: b.Layouts, SideBy: strings.TrimPrefix(b.SideBy, "/"),
		Prof: b.Profilers, TraceMatch: b.Include, TraceSkip: b.Exclude, Deep: b.Deep,
		Order: b.Order, NoRepeat: b.NoRepeat, NoPriority: b.NoPriority,
	}
	c.Args, _ = binaryArgs(b.Args, b.Short)
	c.With, _ = filesWith(dir, b.With)
	if len(c.CPU) == 0 {
		c.CPU = []int{defaultProcs(b.Setenv)}
	}
	if b.MemoryLimit > 0 {
		c.MemoryLimit = strconv.FormatInt(b.MemoryLimit, 10)
	}
	if len(b.Profilers) > 0 {
		c.ProfForks = b.ProfForks
	}
	return c
}

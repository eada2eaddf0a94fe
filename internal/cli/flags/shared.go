package flags

import (
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/stat"
)

// RecordedBench registers --bench of verbs that show records again.
func RecordedBench(fl *pflag.FlagSet, bench *string) {
	fl.StringVar(bench, "bench", "", "of a record of benchmarks, show those that match this `regexp`")
}

// Seed registers --seed; of is what it decides.
func Seed(fl *pflag.FlagSet, seed *string, of string) {
	fl.StringVar(seed, "seed", "", "`seed` of "+of+", hexadecimal (default: drawn and printed)")
}

// DryRun registers --dry-run.
func DryRun(fl *pflag.FlagSet, dry *bool) {
	fl.BoolVar(dry, "dry-run", false, "print the plan and how long it takes, and stop")
	Daily(fl, "dry-run")
}

// Lock registers --no-wait and --no-lock.
func Lock(fl *pflag.FlagSet, noWait, noLock *bool) {
	fl.BoolVar(noWait, "no-wait", false, "refuse to run, instead of waiting, while another tare measures")
	fl.BoolVar(noLock, "no-lock", false, "run at once, also while another tare measures; runs that overlapped are marked, and verdicts of them are not trusted; runs of one user see each other only if they have the same TMPDIR")
}

// TeamFile registers --no-config and --print-config.
func TeamFile(fl *pflag.FlagSet, none, show *bool) {
	fl.BoolVar(none, "no-config", false, "do not read tare.toml, nor variables such as TARE_FORKS")
	fl.BoolVar(show, "print-config", false, "print the values of the flags that tare.toml may set, and where each came from, and stop")
}

// Strict registers --strict; when says what makes the command exit with 4.
func Strict(fl *pflag.FlagSet, strict *bool, when string) {
	fl.BoolVar(strict, "strict", false, "exit 4 if "+when)
}

// Threshold registers --threshold; of says what does not matter below it, by default what usual is.
func Threshold(fl *pflag.FlagSet, share *float64, usual float64, of string) {
	*share = usual
	fl.Var(job.Share(share), "threshold", of+" that does not matter, a `share`")
}

// Gates registers --gate; of is what is compared.
func Gates(fl *pflag.FlagSet, gates *[]string, of string) {
	fl.StringArrayVar(gates, "gate", nil, "exit 3 if "+of+" is worse, 4 if that is not decided: `slower:X%`, slower:X%:proven or more:X%, with @FILTER for some benchmarks; repeatable")
	Daily(fl, "gate")
}

// Stacks registers --sort, --focus and --ignore of verbs that show profiles.
func Stacks(fl *pflag.FlagSet, sort, focus, ignore *string) {
	fl.StringVar(sort, "sort", "self", "of profiles, functions in the order of self or total")
	Offer(fl, "sort", "self", "total")
	fl.StringVar(focus, "focus", "", "of profiles, keep only stacks that have a function whose name matches this `regexp`; shares stay those of the whole")
	fl.StringVar(ignore, "ignore", "", "of profiles, drop stacks that have a function whose name matches this `regexp`")
}

// Peek registers --peek.
func Peek(fl *pflag.FlagSet, pattern *string) {
	fl.StringVar(pattern, "peek", "", "of profiles, print callers and callees of functions whose names match this `regexp`")
}

// Precision registers --precision; when says when what is precise enough.
func Precision(fl *pflag.FlagSet, share *float64, when string) {
	fl.Var(job.Share(share), "precision", "stop when "+when)
}

// Correction registers --correction; names are the corrections, the first is the default.
func Correction(fl *pflag.FlagSet, correction *string, names ...string) {
	fl.StringVar(correction, "correction", names[0], "correction of p-values for the number of rows: bh, holm or none")
	Offer(fl, "correction", names...)
}

// Test registers --test; names are the tests, and fallback is the default.
func Test(fl *pflag.FlagSet, test *string, fallback string, names ...string) {
	fl.StringVar(test, "test", fallback, "test of times and rates: savage (of the forks' best iterations, and of their medians) or u (of their medians, as benchstat)")
	Offer(fl, "test", names...)
}

// Confidence registers --confidence; of says the confidence of which intervals it is.
func Confidence(fl *pflag.FlagSet, c *float64, of string) {
	*c = stat.DefaultConfidence
	fl.Var(job.Level(c), "confidence", "`share`, as 95% or 0.95, "+of)
}

// Progress registers --progress.
func Progress(fl *pflag.FlagSet, progress *string) {
	fl.StringVar(progress, "progress", "auto", "auto, plain or none")
	Offer(fl, "progress", "auto", "plain", "none")
}

// Format registers --format, which takes one of the names; the first is the default.
func Format(fl *pflag.FlagSet, format *string, names ...string) {
	fl.StringVar(format, "format", "", "`format` of stdout: "+join(names)+" (default "+names[0]+")")
	Daily(fl, "format")
	Offer(fl, "format", names...)
}

// Color registers --color.
func Color(fl *pflag.FlagSet, color *string) {
	fl.StringVar(color, "color", "auto", "auto, always or never")
	Offer(fl, "color", "auto", "always", "never")
}

// Verbose registers -v; more is what it adds.
func Verbose(fl *pflag.FlagSet, verbose *bool, more string) {
	fl.BoolVarP(verbose, "verbose", "v", false, more)
	Daily(fl, "verbose")
}

package cli

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/cli/flags"
	"github.com/tarebench/tare/internal/cli/teamfile"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/show/render"
)

const ciLong = `tare ci compares what is checked out with its base, both measured interleaved on this
machine, as tare bench --against does. It finds the base by itself: the first parent of
GitHub's merge commit, the base of the pull request, GitLab's
CI_MERGE_REQUEST_DIFF_BASE_SHA, the commit before a push, else the merge base with the
default branch. What a shallow clone lacks is fetched.

tare.toml is read from the base, so that a change cannot loosen its own gates.

It writes to --report-dir:

  record.jsonl   the record, for tare report and tare compare
  summary.md     what was lost, has changed or is inconclusive, the rest folded; at most 60 KB
  report.html    one page with everything
  junit.xml      missed gates as failures, undecided gates as errors, inconclusive rows as skipped

On GitHub the summary is on the page of the run, too, and the worst changes are
annotations of the benchmarks' functions. GITHUB_OUTPUT gets base, missed, slower, faster,
undecided, equivalent, not_decided, lost, summary, report and record.

Measured code does not get secrets of the environment (GITHUB_TOKEN, NPM_TOKEN …), nor the
files and tokens with which a job gives orders to its service (GITHUB_OUTPUT,
ACTIONS_RUNTIME_TOKEN …). --env NAME=VALUE passes one, as does env = ["NAME", "AWS_*"]
in [ci] of the base's tare.toml. This is no border: a process can read its parent's
environment, so a job that runs code of strangers must have no secret. docs/ci.md shows it.

The exit code is 3 if a gate is missed (--gate, or gates in tare.toml), and 4 if none is and
one is not decided: its row is not trusted, or its benchmark was lost. Lost is what the base
has and the change has not: it is removed, renamed, skips itself, fails, or does not report
a unit any more. --lost, or lost in [ci] of tare.toml, says that such a loss fails or passes.
A benchmark that looks renamed is compared under both names, and is lost all the same.

tare ci comment posts the summary on the pull request.`

const ciExample = `  tare ci
  tare ci --gate slower:5% ./...
  tare ci --against v1.4.0 --report-dir out
  tare ci comment --summary tare-ci/summary.md --repo owner/name --pr 17`

// ciFlags are the flags of tare ci as they are typed.
type ciFlags struct {
	bench    benchFlags
	base     string
	dir      string
	selftest time.Duration
}

func newCI(s streams) *cobra.Command {
	f := &ciFlags{bench: *newBenchFlags()}
	f.bench.team.table = teamfile.TableCI
	cmd := verb{
		use:      "ci [flags] [packages]",
		short:    "Compare a change with its base in continuous integration",
		long:     ciLong,
		example:  ciExample,
		register: f.register,
		run: func(cmd *cobra.Command, args []string) error {
			return f.run(s, cmd, args)
		},
	}.command()
	cmd.AddCommand(newCIComment(s))
	return cmd
}

func (f *ciFlags) register(fl *pflag.FlagSet) {
	b := &f.bench
	flags.Job(fl, b.job.Options(), job.OnCI)
	b.runFlags.register(fl)
	b.registerJudging(fl)
	b.output.formats, b.output.suffixes = render.Formats(), tableSuffixes
	flags.Color(fl, &b.output.color)
	flags.Verbose(fl, &b.output.verbose, tableDetails)
	fl.StringVar(&f.base, "against", "", "compare with this `revision` (default: that of the pull request, push or branch)")
	fl.StringVar(&f.dir, "report-dir", "tare-ci", "write the record, the summary and the reports to this `directory`")
	fl.DurationVar(&f.selftest, "selftest-for", 0, "then measure a binary against itself for this time, and say in the summary which changes this machine finds (default: say it by the intervals)")
	fl.Var(&f.bench.lost, "lost", "what becomes of the gates of a benchmark that the change has lost: `fail` (exit 3) or pass (default: not decided, exit 4)")
	flags.Offer(fl, "lost", "fail", "pass")
	flags.Daily(fl, "against", "report-dir", "lost")
}

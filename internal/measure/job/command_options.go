package job

// Options are the ways to set the fields of c, in the order of the help text.
func (c *Command) Options() []Option {
	return []Option{
		{Name: "param", Value: List{&c.Params}, Group: groupWhat, On: OnTime, Daily: OnTime,
			Help: "measure each combination of values, `NAME=1,2,4`: {NAME} in a command stands for one; repeatable"},
		{Name: "shell", Value: flag(&c.Shell), Group: groupWhat, On: OnTime, Daily: OnTime,
			Help: "run all commands by sh -c; what the shell costs is measured and printed"},
		{Name: "setup", Value: List{&c.Setup}, Group: groupWhat, On: OnTime,
			Help: "run this `command` once before the runs of each command, not measured"},
		{Name: "prepare", Value: List{&c.Prepare}, Group: groupWhat, On: OnTime, Daily: OnTime,
			Help: "run this `command` before each run, not measured; given once for each command, each has its own: first that behind --, then those of --against and --side"},
		{Name: "cleanup", Value: List{&c.Cleanup}, Group: groupWhat, On: OnTime,
			Help: "run this `command` once after the runs of each command, not measured"},
		{Name: "stdout", Value: text(&c.Stdout), Group: groupWhat, On: OnTime, Daily: OnTime, Words: []string{StdoutNull, StdoutInherit},
			Help: "what becomes of the commands' output: null, inherit, or a `FILE` that keeps the last run's"},
		{Name: "input", Value: text(&c.Input), Group: groupWhat, On: OnTime, Daily: OnTime,
			Help: "the commands' standard input, a `FILE` (default: nothing to read)"},
		{Name: "cwd", Value: text(&c.Dir), Group: groupWhat, On: OnTime, Help: "`directory` in which the commands run"},
		{Name: "env", Value: List{&c.Setenv}, Group: groupWhat, On: OnTime,
			Help: "set a variable for the commands: `K=V`, repeatable"},
		{Name: "ignore-failure", Value: flag(&c.IgnoreFailure), Group: groupWhat, On: OnTime,
			Help: "count runs that end with another status than 0, or by a signal"},

		{Name: "runs", Value: number(&c.Runs), Group: groupLength, On: OnTime, Daily: OnTime,
			Help: "runs of each command (--forks is the same); with --precision the most"},
		{Name: "warmup", Value: number(&c.Warmup), Group: groupLength, On: OnTime, Daily: OnTime,
			Help: "runs of each command before those that count"},
		{Name: "precision", Value: Share(&c.Precision), Group: groupLength, On: OnTime, Daily: OnTime,
			Help: "stop when the interval of the real time, or of its ratio, is within ± this `share`; checked after 10, 20, 40, 80 runs"},
		{Name: "timeout", Value: duration(&c.Timeout), Group: groupLength, On: OnTime,
			Help: "wall time after which a run is killed and has failed (default none)"},

		{Name: "against", Value: List{&c.Against}, Group: groupSides, On: OnTime, Daily: OnTime,
			Help: "compare with this `command`, run in turn with the others; words are split as by a shell; repeatable, the first is the base"},
		{Name: "side", Value: List{&c.Side}, Group: groupSides, On: OnTime, Daily: OnTime,
			Help: "compare `NAME=COMMAND`, also without a command behind --; repeatable, the first is the base"},
		{Name: "threshold", Value: Share(&c.Threshold), Group: groupSides, On: OnTime, Daily: OnTime,
			Help: "difference between commands that does not matter, a `share`"},
		{Name: "confidence", Value: Level(&c.Confidence), Group: groupSides, On: OnTime,
			Help: "`share`, as 95% or 0.95, of the intervals"},

		{Name: "seed", Value: text(&c.Seed), Group: groupRun, On: OnTime,
			Help: "`seed` of the order, hexadecimal (default: drawn and printed)"},
		{Name: "no-priority", Value: flag(&c.NoPriority), Group: groupRun, On: OnTime,
			Help: "give commands no priority over other programs, which they get where that is allowed"},
	}
}

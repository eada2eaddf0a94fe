// Package runlog keeps the log of this machine's runs: for each run when it was, what else was busy, and each
// benchmark's median. From it comes the interval for another run.
//
// The interval of a run's own forks says nothing about another run: between runs the machine has changed. Measured on
// a shared machine, it held the median of another run in 45 % of pairs, where it stated 95. How much runs differ can
// only be known from runs.
//
// The log is a file of JSON Lines in the user's state directory ($XDG_STATE_HOME/tare/runs.jsonl on Linux). It holds
// names of benchmarks and figures, and nothing else of what was measured. TARE_RUNLOG=FILE names another file,
// TARE_RUNLOG=off keeps none.
package runlog

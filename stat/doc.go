// Package stat turns samples into intervals, comparisons and verdicts.
//
// It computes on float64 slices, prints nothing, keeps no state and never changes its
// arguments. It assumes that a sample has one value per process (fork), in time
// order. Iterations of one fork are not independent: they share a memory layout, hash
// seeds and the load of other processes. Reduce them to their median first, or every
// difference will seem significant.
//
// # Recipe
//
//  1. Reduce each fork to one value: Median of its measured iterations.
//     IterationTrend checks whether they were stable.
//  2. Check each side: MannKendall for drift over the rounds,
//     Bimodal for two groups of forks, Tukey for outliers (counted, never
//     dropped), OneWay for how much of the spread lies between forks, and so
//     whether more forks or more iterations would help.
//  3. Report a side as MedianInterval, the exact order-statistic interval, with
//     RobustCV as its spread. MinSamples returns how many forks it needs.
//  4. Compare(old, new, Options{}) two sides whose forks were interleaved. Show
//     Ratio and Lo … Hi with every Verdict.
//  5. With many benchmarks, Adjust(comparisons, Holm) before failing a build,
//     Adjust(comparisons, BenjaminiHochberg) before showing a table.
//     GeoMeanInterval describes a column of ratios.
//  6. To stop early, plan InterimAnalyses and decide each at its own Confidence.
//
// For other tools' columns there are TInterval (JMH) and Welch; for pairs
// planned in advance, Wilcoxon of LogRatios; for rates of hits such as false
// alarms in an A/A run, ClopperPearson; for builds of forks of iterations,
// Components and OptimalCounts; for one benchmark at several sizes,
// FitComplexity: by which curve its cost grows with n; for one comparison made on
// several machines, CombineMachines; for one benchmark over many commits, Shifts,
// and Common for what all benchmarks share.
//
// # Conventions
//
// Confidence is the level of an interval, as in 0.95; tests are compared with
// alpha = 1-Confidence. Ratios are new over old. Functions never panic and
// return no errors: the result of an undefined operation is NaN; a sample too small
// for an interval has an infinite one with Confidence 0. NaN among the
// values makes the result NaN unless said otherwise. Random procedures take a
// seed and give the same result for the same seed.
//
// The null distributions are exact for the sizes that occur. The tests compare them
// with golang.org/x/perf's benchmath and go-moremath.
package stat

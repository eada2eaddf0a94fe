// Package listing shows where a program spent its time, instruction by instruction:
// the lists of its hottest regions, functions and areas, and then the hottest regions of
// its code with their jumps. It reads a [record.Asm] and nothing else, so that a
// listing can be made anywhere, again, and in another syntax.
//
//	l, err := listing.New(asm, listing.Config{})
//	...
//	err = l.Text(os.Stdout, listing.Options{Title: "BenchmarkFind", Width: 100, UTF8: true})
//	...
//	data, err := json.Marshal(l)
//
// Forks of one case are put together first, with [Merge]; two sides are compared with
// [Compare].
//
// # Regions
//
// A region is a part of one function: instructions with samples, of which no two neighbours are separated by more than
// Config.Merge instructions. It is shown
// with some instructions around it. The idea and the defaults are those of JMH's perfasm
// (openjdk/jmh, AbstractPerfAsmProfiler), but distances are counted in instructions
// and not in bytes, a region never goes beyond a function, and jumps come from decoded
// operands. Lanes of jumps are packed as intervals are coloured: shortest first, each
// into the innermost lane that is free; those that lead to one place share a lane.
//
// The hottest region of the user's own code is shown whatever its share, because a flat
// profile has no hot region. Regions of the runtime, and of what runs benchmarks, are one
// line each unless Config.Runtime is set.
//
// A branch that ends in a panic or grows the stack is not drawn but noted: bounds check,
// nil check, stack check. There is one for nearly every index of Go code, hardly ever
// taken, and their lanes would hide the loops. JSON has all jumps. An arrow up or down behind
// an instruction says that it jumps to where the listing does not reach. The source is
// shown where it changes, with every function that was inlined there; of assembly only the
// number of the line, at the right.
//
// # Sums
//
// Every sample is in exactly one row of each list, and the counts of a list add up to
// all samples. Shares are rounded each for itself, so that equal counts have equal
// shares; the counts beside them are what to add up. The ± of a share p is its standard
// error, sqrt(p(1-p)/n): twice as much is a 95 % interval of the sampling, which knows
// nothing of how one process differs from the next.
//
// # Skid
//
// An event that is not precise is counted at an instruction after the one that caused
// it. Counts are never moved: instructions that are likely to be counted for
// another bear the mark ‹.
package listing

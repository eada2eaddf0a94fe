// Package reference runs the reference loops: five small pieces of work whose speed depends on the machine alone.
//
//	chain   arithmetic in which each step waits for the one before: the processor's clock
//	branch  jumps that cannot be predicted
//	l3      loads from 8 MiB in random order: the last-level cache, and memory if others fill that cache
//	copy    a copy of 4 MiB: bandwidth of memory
//	alloc   allocation of small objects, with the collector
//
// They run for about 20 ms before a round of forks, in one process that stays, and tell what else was busy: another
// program on another core slows a benchmark that allocates by a third without taking any CPU time from it, and only
// l3 sees that. A benchmark's figure is never divided by a loop's. The loops say which earlier runs were made under
// like conditions.
package reference

// Package ycsb is the core workload of YCSB, the Yahoo! Cloud Serving Benchmark, for
// databases that implement [kv.DB]. It has the same properties, workloads A to F, keys
// and probability distributions: either tool can load the data for the other, and results are
// comparable.
//
// # Recipe
//
//	props, ok := ycsb.Workload("a")                  // or kv.ReadProperties
//	props.Set("recordcount=100000")                  // and what else was given
//	c, err := ycsb.ParseConfig(props)                // says all that is wrong
//	c.Seed = seed
//
//	target, err := ycsb.New(c, db)                   // before loading: says what the database cannot do
//	if db.Capabilities().Load {
//		loader, err := ycsb.Loader(c, db)
//		phase := c.LoadPhase()
//		phase.Workers = 8
//		_, err = load.Run(ctx, loader, phase, sink)
//	}
//	totals, err := load.Run(ctx, target, load.Config{Operations: uint64(c.OperationCount)}, sink)
//
// # Reproducibility
//
// Operation k depends on the seed and k alone, for any worker and any earlier
// operations: its kind, the fields, the length of a scan, the values that it writes,
// and, in workloads without inserts, its record. Distributions that YCSB draws from state shared
// by all threads are functions of k here; sequential uses k itself.
//
// Inserts are the exception, because records are inserted in order. An insert takes
// the next free number when it is prepared. So the inserted records are always the
// same, but not which operation inserts which. Requests choose records up to the last
// one before which all exist: a zipfian choice beyond it is drawn again, latest and
// exponential count back from it. These choices depend on seed, k and that record.
// With one worker in a closed loop a run with inserts is reproducible, too.
//
// As in YCSB, a failed insert counts as inserted: its record gives "not found" later.
// An insert that was prepared and never sent returns its number.
//
// # Several load generators
//
// With targets of [NewShared] several load generators send the operations of a phase, each its part
// ([load.Config].Share). The loader needs nothing for that: operation k inserts record k. In the run
// the record of an insert follows from its operation: it is the first record after those there
// were, and one more for each insert among the operations of the phase before it. So no two load
// generators insert the same record, and all inserts together have no gaps, once all were sent. The
// record of an insert that is never sent is missing.
//
// A load generator does not know which inserts of others were answered. Its requests choose among
// the records of the load phase and the last 1,048,576 of those that it inserted itself, without
// errors, and never one that may not exist. For latest and exponential the newest record is the one
// whose insert was answered last. So the requests of a workload with inserts depend on who sends
// them; the inserts, the kinds of operations and what is written do not.
//
// Phases need distinct records: tell the target where one begins by [SharedTarget].
//
// # Distributions of requests
//
//	uniform        all records alike
//	zipfian        YCSB's: Zipf's law with theta 0.99 over 10^10 ranks, hashed onto the records
//	zipfian-exact  Zipf's law over the records, theta as zipfian.theta says; popular ones scattered
//	latest         Zipf's law with theta 0.99, the last record inserted first
//	hotspot        a share of the operations about the first records, the rest about the others
//	exponential    the longer ago inserted, the less popular
//	sequential     one after the other
//
// The two zipfian distributions differ, because 10^10 ranks are hashed onto few records:
//
//	             most popular record        most popular hundredth
//	records      zipfian  zipfian-exact     zipfian  zipfian-exact
//	    1 000      3.9 %         12.9 %       12.6 %        38.3 %
//	  100 000      3.8 %          7.8 %       30.4 %        60.5 %
//	1 000 000      3.8 %          6.5 %       40.0 %        66.4 %
//
// # Differences from YCSB
//
//   - The default of recordcount is 1000, not 2^31−1, and proportions must add up to
//     1: YCSB scales them, so that readproportion=1 alone means 95 % of reads.
//   - Numbers of records have 64 bits; YCSB cuts them to 32.
//   - latest updates all of its terms when records are inserted.
//   - The last bucket of a field length histogram has its own length.
//   - dataintegrity verifies scans as well. A wrong value is an error of class
//     integrity, not a separate series.
//   - An insert of the load phase with its retries is one operation, including the
//     time between them.
//   - Random values have the 64 characters from space to underscore.
//   - zipfian-exact, zipfian.theta and keyprefix are additions.
package ycsb

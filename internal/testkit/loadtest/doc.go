// Package loadtest checks that a database binding implements [kv.DB] correctly, with
// the real database.
//
// # Recipe
//
//	func TestConformance(t *testing.T) {
//		loadtest.Run(t, loadtest.Config{Open: bolt.Open, Embedded: true})
//	}
//
//	func Benchmark(b *testing.B) {
//		loadtest.Bench(b, loadtest.Config{Open: bolt.Open})
//	}
//
// A binding of a server also sets [Config.Server]: then the server is killed,
// restarted and stopped while workers use it, and the errors of the workers are
// checked. The Capabilities of a store and Config say what it cannot do; everything
// else is checked.
//
// # Method
//
// Every call goes through a session that copies its arguments into reused buffers,
// and overwrites them and the results after the call. So the next check detects a
// binding that keeps the caller's memory, or returns its own. Choices are random; the
// log of a failed test has the seed, and Config.Seed repeats it.
//
// The kit itself is tested with databases that have one fault each.
package loadtest

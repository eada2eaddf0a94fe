// Package loadtest checks that a database binding does what [kv.DB] promises,
// on the real thing.
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
// restarted and stopped while workers use it, and what they are told is checked.
// What a store cannot do it says in its [load.Capabilities] or in Config; everything
// else is demanded of it.
//
// # How it looks
//
// Every call goes through a session that copies its arguments into buffers that
// are used again, and scribbles over them and over what was read as soon as the
// call has returned: a binding that keeps the caller's memory, or gives out its
// own, is found by whichever check comes next. Choices are random; the seed is
// in the log of a failed test, and Config.Seed repeats it.
//
// The kit is itself tested on databases with one planted fault each.
package loadtest

// Package servers starts private database servers for tests, and servers that
// misbehave.
//
// # Recipe
//
//	func TestConformance(t *testing.T) {
//		s := servers.Redis(t)
//		loadtest.Run(t, loadtest.Config{
//			Open:   redis.Open,
//			Props:  kv.Properties{"redis.addr": s.Addr},
//			Server: &loadtest.Server{Kill: s.Kill, Start: s.Start, Stop: s.Stop, Cont: s.Cont},
//		})
//	}
//
// A server listens on a loopback port of its own, keeps its data in a temporary
// directory, and ends with the test; on Linux also when the test itself is
// killed. Where the program is not installed, the test is skipped with its name,
// or fails if TARE_REQUIRE_SERVERS is 1.
//
// [Fake] is a TCP server that answers as the test wants: rubbish, late, or never.
package servers

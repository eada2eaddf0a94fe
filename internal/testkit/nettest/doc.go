// Package nettest runs tests among hosts that exist on this machine alone: in a user and
// network namespace of their own, which needs no root and has no way out.
//
//	func TestOtherHost(t *testing.T) {
//		if !nettest.Inside(t, "10.9.9.9", "10.9.9.10") {
//			return // the test ran in a child of this process, and its failures are those of t
//		}
//		nettest.Names(t, func(name string) string { return "10.9.9.9" })
//		l, err := net.Listen("tcp", "10.9.9.9:80")
//		…
//	}
package nettest

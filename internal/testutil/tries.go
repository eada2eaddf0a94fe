// Package tries is for tests that measure reality, where others may have the
// processors: of a machine that stood still for a while nothing follows.
package testutil

import "testing"

// most is how often it is tried. A code that is wrong is so each time.
const most = 5

// Agree calls try with 0, 1, 2 … until it returns no error, for the test to make a
// later try longer. If none does, the test has failed, with the last error. What
// is wrong whatever else the machine does, try tells the test itself.
func Agree(t testing.TB, try func(n int) error) {
	t.Helper()
	var err error
	for n := range most {
		if err = try(n); err == nil || t.Failed() {
			return
		}
		t.Logf("try %d of %d: %v", n+1, most, err)
	}
	t.Error(err)
}

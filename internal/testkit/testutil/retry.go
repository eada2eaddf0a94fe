// Package testutil retries tests that measure the machine itself, and says which
// tests run at full length.
package testutil

import "testing"

// attempts is how often Retry calls its function. Wrong code fails every time.
const attempts = 5

// Retry calls try with 0, 1, 2 … until it returns nil. Later attempts may measure
// longer, hence the number. If every attempt fails, the test fails with the last
// error. One failure proves nothing when other processes had the processors at that
// moment. For what must hold in every attempt, try calls t.Error or t.Fatal itself.
func Retry(t testing.TB, try func(attempt int) error) {
	t.Helper()
	var err error
	for n := range attempts {
		if err = try(n); err == nil || t.Failed() {
			return
		}
		t.Logf("attempt %d of %d: %v", n+1, attempts, err)
	}
	t.Error(err)
}

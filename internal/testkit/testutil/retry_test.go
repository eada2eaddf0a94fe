package testutil

import (
	"errors"
	"testing"
)

// fake is a testing.TB that records failures.
type fake struct {
	testing.TB
	failed bool
}

func (f *fake) Helper()             {}
func (f *fake) Logf(string, ...any) {}
func (f *fake) Error(...any)        { f.failed = true }
func (f *fake) Failed() bool        { return f.failed }

func TestRetry(t *testing.T) {
	for _, c := range []struct {
		name            string
		succeeds, fails int // in which attempt; -1: in none
		tries           int
		failed          bool
	}{
		{"at once", 0, -1, 1, false},
		{"in the last", attempts - 1, -1, attempts, false},
		{"never", -1, -1, attempts, true},
		{"failed by itself", 3, 1, 2, true},
	} {
		f, tried := &fake{}, 0
		Retry(f, func(n int) error {
			if n != tried {
				t.Errorf("%s: attempt %d was given number %d", c.name, tried, n)
			}
			tried++
			if n == c.fails {
				f.Error()
			}
			if n == c.succeeds {
				return nil
			}
			return errors.New("no")
		})
		if tried != c.tries || f.failed != c.failed {
			t.Errorf("%s: %d attempts, failed %v; want %d, %v", c.name, tried, f.failed, c.tries, c.failed)
		}
	}
}

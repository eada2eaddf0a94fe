package testutil

import (
	"errors"
	"testing"
)

// fake is a test that is told to fail.
type fake struct {
	testing.TB
	failed bool
}

func (f *fake) Helper()             {}
func (f *fake) Logf(string, ...any) {}
func (f *fake) Error(...any)        { f.failed = true }
func (f *fake) Failed() bool        { return f.failed }

func TestAgree(t *testing.T) {
	for _, c := range []struct {
		name          string
		agrees, fails int // in which try; -1: none
		tries         int
		failed        bool
	}{
		{"at once", 0, -1, 1, false},
		{"in the last", most - 1, -1, most, false},
		{"never", -1, -1, most, true},
		{"failed by itself", 3, 1, 2, true},
	} {
		f, tried := &fake{}, 0
		Agree(f, func(n int) error {
			if n != tried {
				t.Errorf("%s: try %d is called %d", c.name, tried, n)
			}
			tried++
			if n == c.fails {
				f.Error()
			}
			if n == c.agrees {
				return nil
			}
			return errors.New("no")
		})
		if tried != c.tries || f.failed != c.failed {
			t.Errorf("%s: %d tries, failed %v; want %d, %v", c.name, tried, f.failed, c.tries, c.failed)
		}
	}
}

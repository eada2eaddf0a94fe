package session

import (
	"errors"
	"testing"

	"github.com/tarebench/tare/internal/base/env"
)

// TestPrioritize: priority is asked for unless it is not wanted, or would do nothing; that it is refused is no error.
func TestPrioritize(t *testing.T) {
	for _, test := range []struct {
		name     string
		unwanted bool
		err      error
		want     string
	}{
		{"done", false, nil, "autogroup -20"},
		{"not wanted", true, nil, ""},
		{"refused", false, errors.New("permission denied"), ""},
	} {
		asked := false
		got := Prioritize(test.unwanted, func() (string, error) { asked = true; return "autogroup -20", test.err })
		if env.Autogroup() != nil { // the kernel does not decide by sessions
			test.unwanted, test.want = true, ""
		}
		if got != test.want || asked == test.unwanted {
			t.Errorf("%s: %q, asked %v; want %q", test.name, got, asked, test.want)
		}
	}
}

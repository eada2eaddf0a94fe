package foreign_test

import (
	"testing"

	"github.com/tarebench/tare/internal/foreign"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"/x/lib.so is gone":      "/x/lib.so is gone",
		"/größe/\x1b[2Jlib.so":   `/größe/\x1b[2Jlib.so`,
		"a\nb\x00\u202e\u009b1m": `a\nb\x00\u202e\u009b1m`,
		"\xff":                   "\uFFFD",
		"it's":                   "it's",
	} {
		if got := foreign.Visible(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"": "", "abc": "abc", "abcd": "abcd", "abcde": "abcd...", "\x00bc": `\x00...`, "äöü": "äö..."} {
		if got := foreign.VisibleHead(text, 3); got != want {
			t.Errorf("the beginning of %q is %q, want %q", text, got, want)
		}
	}
}

package cli

import "testing"

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"/x/lib.so is gone":      "/x/lib.so is gone",
		"/größe/\x1b[2Jlib.so":   `/größe/\x1b[2Jlib.so`,
		"a\nb\x00\u202e\u009b1m": `a\nb\x00\u202e\u009b1m`,
		"\xff":                   "\uFFFD",
		"it's":                   "it's",
	} {
		if got := visible(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

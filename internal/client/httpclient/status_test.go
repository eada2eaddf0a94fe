package httpclient

import "testing"

func FuzzStatuses(f *testing.F) {
	for _, seed := range []string{"200-299", "200,301", "100-999", "-", "200-", ","} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStatuses(text)
		if err != nil {
			return
		}
		any := false
		for n := range s {
			any = any || s[n]
			if s[n] && n < 100 {
				t.Errorf("%q allows status %d", text, n)
			}
		}
		if !any {
			t.Errorf("%q allows nothing, without an error", text)
		}
	})
}

func TestIsHeaderValue(t *testing.T) {
	for text, want := range map[string]bool{"": true, "a b\tc": true, "a\r\nb": false, "a\nb": false, "\x00": false, "\x7f": false, "ü": true} {
		if IsHeaderValue(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

package suggest

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"", "abc", 3}, {"redis", "redis", 0}, {"reddis", "redis", 1}, {"rdeis", "redis", 1},
		{"kitten", "sitting", 3}, {"abc", "ABC", 3}, {"größe", "grösse", 2}, {"ca", "abc", 3}, {"bolt", "mock", 3},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
		if got := Distance(c.b, c.a); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.b, c.a, got, c.want)
		}
	}
}

package suggest

import (
	"slices"
	"testing"
)

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

func TestSimilar(t *testing.T) {
	names := []string{"SPSC", "MPSC", "Queue", "queueOf", "Worker", "Ring"}
	for typed, want := range map[string][]string{
		"SPCS": {"SPSC", "MPSC"}, "spsc": {"SPSC", "MPSC"}, "Qeue": {"Queue"}, "queue": {"Queue", "queueOf"}, "Wrker": {"Worker"},
		"Elephant": nil, "Foo": nil, "Rin": {"Ring"}, "Que": {"Queue", "queueOf"}, "X": nil,
	} {
		if got := Similar(typed, names, nil); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", typed, got, want)
		}
	}
	if got := Similar("ring", []string{"a.Queue", "a.Ring"}, func(s string) string { return s[2:] }); !slices.Equal(got, []string{"a.Ring"}) {
		t.Errorf("by a part of the names: %q", got)
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		typed string
		most  int
		want  string
	}{{"Reddis", 2, "redis"}, {"bolt", 2, "bolt"}, {"bold", 0, ""}, {"bold", 1, "bolt"}, {"ab", 2, ""}, {"reb", 2, ""}, {"redos", 2, "redis"}} {
		if got := Nearest(c.typed, []string{"redis", "bolt", "cd", "redas"}, c.most); got != c.want {
			t.Errorf("%s: %q, want %q", c.typed, got, c.want)
		}
	}
}

package wrap

import (
	"strings"
	"testing"
)

var text = strings.Repeat("The quick brown fox jumps over the lazy dog, and an unconventionally long word follows it. ", 60)

func TestLines(t *testing.T) {
	got := Lines(text, 60)
	if n := Longest(got); n > 60 || n < 50 {
		t.Errorf("the longest line has %d bytes", n)
	}
	if strings.Join(strings.Fields(got), " ") != strings.TrimSpace(text) {
		t.Error("the words changed")
	}
}

func BenchmarkLines(b *testing.B) {
	n := 0
	for b.Loop() {
		n += len(Lines(text, 72))
	}
}

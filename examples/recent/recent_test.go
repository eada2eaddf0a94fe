package recent

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// part returns n lines of a log, the last of which is an error.
func part(n int) []byte {
	var text strings.Builder
	for i := range n - 1 {
		fmt.Fprintf(&text, "10:00:%02d 200 GET /item/%d answered in %d ms\n", i%60, i, i%17)
	}
	fmt.Fprintf(&text, "10:01:00 503 GET /cart upstream timed out\n")
	return []byte(text.String())
}

// BenchmarkAdd reads parts of 200 lines, each a new string as from a file.
func BenchmarkAdd(b *testing.B) {
	data := part(200)
	log := New(256)
	for b.Loop() {
		log.Add(string(data))
	}
}

// BenchmarkCount counts in a full log.
func BenchmarkCount(b *testing.B) {
	log := New(1000)
	for i := range 1500 {
		log.Add(fmt.Sprintf("10:00:00 %d GET /cart", 500+i%4))
	}
	for b.Loop() {
		log.Count(503)
	}
}

func TestLog(t *testing.T) {
	log := New(3)
	log.Add("10:00:00 500 a\n10:00:01 200 b\n10:00:02 503 c\n\nnone\nno code 503\n")
	if got, want := log.Lines(), []string{"10:00:00 500 a", "10:00:02 503 c"}; !slices.Equal(got, want) {
		t.Errorf("lines are %q, want %q", got, want)
	}
	log.Add("10:00:03 503 d\n10:00:04 504 e")
	if got, want := log.Lines(), []string{"10:00:02 503 c", "10:00:03 503 d", "10:00:04 504 e"}; !slices.Equal(got, want) {
		t.Errorf("lines are %q, want %q", got, want)
	}
	for code, want := range map[int]int{500: 0, 503: 2, 504: 1, 200: 0} {
		if got := log.Count(code); got != want {
			t.Errorf("%d lines have code %d, want %d", got, code, want)
		}
	}
}

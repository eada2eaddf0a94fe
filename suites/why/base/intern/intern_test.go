package intern

import (
	"fmt"
	"strings"
	"testing"
)

// text has the given number of words, each several times.
func text(words, times int) []byte {
	var b strings.Builder
	for range times {
		for i := range words {
			fmt.Fprintf(&b, "word%d-and-more ", i*i)
		}
	}
	return []byte(b.String())
}

func TestTable(t *testing.T) {
	table := New(4)
	if n := table.AddText([]byte("a b  a c b")); n != 5 {
		t.Errorf("%d words", n)
	}
	if got := fmt.Sprint(table.Words()); got != "[a b c]" {
		t.Error(got)
	}
}

// BenchmarkFill fills a table with new words.
func BenchmarkFill(b *testing.B) {
	data := text(1000, 1)
	for b.Loop() {
		New(1000).AddText(data)
	}
}

// BenchmarkKnown finds words that the table has.
func BenchmarkKnown(b *testing.B) {
	data := text(200, 5)
	table := New(200)
	table.AddText(data)
	for b.Loop() {
		table.AddText(data)
	}
}

package lexer

import (
	"bytes"
	"testing"
)

var source = bytes.Repeat([]byte("total_price = (base_price + 12.50) * quantity1 - discount(customer, 30) / 7;\n"), 40)

func TestCount(t *testing.T) {
	if got, want := Count(source[:bytes.IndexByte(source, '\n')]), [4]int{0, 5, 3, 11}; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkCount(b *testing.B) {
	n := 0
	for b.Loop() {
		n += Count(source)[Name]
	}
}

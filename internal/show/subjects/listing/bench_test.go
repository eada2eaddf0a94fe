package listing

import (
	"io"
	"testing"
)

// BenchmarkNew splits a recorded program into functions; BenchmarkText writes it.
func BenchmarkNew(b *testing.B) {
	a := readAsm(b, "testdata/sort.json.gz")
	for b.Loop() {
		mustNew(b, a, Config{})
	}
}

func BenchmarkText(b *testing.B) {
	l := mustNew(b, readAsm(b, "testdata/sort.json.gz"), Config{})
	for b.Loop() {
		if err := l.Text(io.Discard, Options{UTF8: true, Color: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCompare compares eight forks a side.
func BenchmarkCompare(b *testing.B) {
	old, new := forksOf(1, 8, 2000, 1000, false), forksOf(2, 8, 1000, 1000, true)
	for b.Loop() {
		if _, err := Compare(old, new, Config{}); err != nil {
			b.Fatal(err)
		}
	}
}

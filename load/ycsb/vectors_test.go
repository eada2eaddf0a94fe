package ycsb

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the files in testdata anew, vectors by running java")

// vectors returns the lines of a kind from Java, split into columns.
func vectors(t *testing.T, kind string) [][]string {
	t.Helper()
	const file = "testdata/vectors.txt"
	if *update {
		out, err := exec.Command("java", "testdata/Vectors.java").Output()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for line := range strings.Lines(string(text)) {
		if columns := strings.Split(strings.TrimRight(line, "\r\n"), "\t"); columns[0] == kind {
			rows = append(rows, columns[1:])
		}
	}
	if len(rows) < 20 {
		t.Fatalf("%s has %d lines %q", file, len(rows), kind)
	}
	return rows
}

func TestKeysAreJavas(t *testing.T) {
	c := Default()
	keys := newKeyText(&c)
	for _, row := range vectors(t, "key") {
		n, err := strconv.ParseInt(row[0], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(keys.key(n)); got != row[1] {
			t.Errorf("key of record %d: %s, in Java %s", n, got, row[1])
		}
	}
}

func TestVerifiableValuesAreJavas(t *testing.T) {
	for _, row := range vectors(t, "value") {
		size, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		got := appendVerifiable([]byte("before"), []byte(row[0]), row[1], size)
		if want := "before" + row[3]; string(got) != want {
			t.Errorf("%d bytes of %s of %q:\n%s\nin Java\n%s", size, row[1], row[0], got, want)
		}
	}
}

// TestMinInt64: Java's absolute value of one hash is negative. No number below
// 2^63 is known that has it, so the step is tested by itself.
func TestMinInt64(t *testing.T) {
	tests := []struct{ h, want uint64 }{
		{0, 0}, {1, 1}, {1<<63 - 1, 1<<63 - 1}, {1 << 63, 1 << 63}, {1<<63 + 1, 1<<63 - 1}, {1<<64 - 1, 1},
	}
	for _, tt := range tests {
		if got := magnitude(tt.h); got != tt.want {
			t.Errorf("magnitude of %#x: %#x, want %#x", tt.h, got, tt.want)
		}
	}
	// What follows from it must not fall out of range.
	if got := newModulus(1000).mod(1 << 63); got >= 1000 {
		t.Errorf("2^63 mod 1000 is %d", got)
	}
}

// hashSlowly is the hash by the book.
func hashSlowly(n uint64) uint64 {
	h := uint64(14695981039346656037)
	for range 8 {
		h ^= n & 0xff
		h *= 1099511628211
		n >>= 8
	}
	if h >= 1<<63 {
		h = ^h + 1
	}
	return h
}

func TestHashShortcuts(t *testing.T) {
	r := random{}
	r.start(1, 1)
	for bits := range 64 {
		for range 200 {
			n := r.next() >> bits
			if got, want := fnv1a(n), hashSlowly(n); got != want {
				t.Fatalf("hash of %d: %d, want %d", n, got, want)
			}
			if n >>= 24; fnv1aOfRank(n) != hashSlowly(n) {
				t.Fatalf("hash of rank %d: %d, want %d", n, fnv1aOfRank(n), hashSlowly(n))
			}
		}
	}
}

func TestFillText(t *testing.T) {
	r := random{}
	r.start(2, 2)
	var seen [256]int
	for n := range 50 {
		b := bytes.Repeat([]byte{0}, n+4)
		for range 100 {
			fillText(b[2:2+n], &r)
			for _, c := range b[2 : 2+n] {
				seen[c]++
			}
		}
		if b[0]|b[1]|b[n+2]|b[n+3] != 0 {
			t.Fatalf("%d bytes of text: wrote outside", n)
		}
	}
	chi := chiSquare{}
	for c, n := range seen {
		if c < ' ' || c > '_' {
			if n > 0 {
				t.Errorf("text has %d bytes %#x", n, c)
			}
			continue
		}
		chi.add(n, 1.0/64)
	}
	chi.check(t, "characters")
}

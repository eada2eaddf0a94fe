package varint

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func values(n int) []int64 {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]int64, n)
	var v int64
	for i := range out {
		v += r.Int64N(400) - 150
		out[i] = v
	}
	return out
}

func TestRoundTrip(t *testing.T) {
	want := append(values(1000), -1<<63, 1<<63-1, 0)
	data := Append(nil, want)
	got, err := Decode(nil, data)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("decoded %d values of %d: %v", len(got), len(want), err)
	}
	if _, err := Decode(nil, []byte{0x80}); err != ErrTruncated {
		t.Errorf("truncated: %v", err)
	}
}

func BenchmarkAppend(b *testing.B) {
	v := values(1000)
	var dst []byte
	for b.Loop() {
		dst = Append(dst[:0], v)
	}
}

func BenchmarkDecode(b *testing.B) {
	data := Append(nil, values(1000))
	var dst []int64
	for b.Loop() {
		dst, _ = Decode(dst[:0], data)
	}
}

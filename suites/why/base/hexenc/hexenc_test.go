package hexenc

import (
	"encoding/hex"
	"testing"
)

func data(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i*37 + i>>4)
	}
	return p
}

func TestRoundTrip(t *testing.T) {
	p := data(999)
	text := Append(nil, p)
	if string(text) != hex.EncodeToString(p) {
		t.Errorf("%s", text)
	}
	got := make([]byte, len(p))
	if n, err := Decode(got, text); n != len(p) || err != nil || string(got) != string(p) {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := Decode(got, []byte("00FfxX")); n != 2 || err != ErrDigit {
		t.Errorf("%d, %v", n, err)
	}
}

func BenchmarkAppend(b *testing.B) {
	p := data(2000)
	var dst []byte
	for b.Loop() {
		dst = Append(dst[:0], p)
	}
}

func BenchmarkDecode(b *testing.B) {
	text := Append(nil, data(2000))
	dst := make([]byte, 2000)
	for b.Loop() {
		Decode(dst, text)
	}
}

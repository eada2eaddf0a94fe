package pebble

import "testing"

func TestBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"1": 1, "64MiB": 64 << 20, "5 KiB": 5 << 10, "2GiB": 2 << 30, "8589934591GiB": 8589934591 << 30,
		"": 0, "MiB": 0, "-1": 0, "0KiB": 0, "1.5MiB": 0, "64MB": 0, "8589934592GiB": 0, "1KiBKiB": 0,
	} {
		if n, ok := bytes(s); n != want || ok != (want != 0) {
			t.Errorf("%q: %d, %v, want %d", s, n, ok, want)
		}
	}
}

//go:build linux || darwin

package main

import (
	"slices"
	"testing"
)

// FuzzWords holds that no request makes the launcher panic, and that lists come out as they went in.
func FuzzWords(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 2, 0, 0, 0, 'a', 'b'})
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, body []byte) {
		w := words{body: slices.Clone(body)}
		list := w.list(nil)
		if w.bad {
			return
		}
		again := make([]byte, 4)
		putU32(again, uint32(len(list)))
		for _, s := range list {
			again = append(again, 0, 0, 0, 0)
			putU32(again[len(again)-4:], uint32(len(s)))
			again = append(again, s...)
		}
		if !slices.Equal(again, body[:len(body)-len(w.body)]) {
			t.Errorf("%x is read as %q", body, list)
		}
	})
}

package ycsb

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestKeyText(t *testing.T) {
	numbers := []int64{0, 1, 9, 10, 99, 12345678, 99999999, 100000000, 1e16 - 1, 1e16, 1e18, math.MaxInt64}
	r := random{}
	r.start(3, 3)
	for bits := 1; bits < 64; bits++ {
		numbers = append(numbers, int64(r.next()>>bits))
	}
	for _, prefix := range []string{"", "u", "user", "eightchr", "ninechars", strings.Repeat("long", 50), "ключ"} {
		for _, zeros := range []int{1, 2, 8, 19, 23, 24, 25, 30, 300} {
			for _, order := range []Order{Hashed, Ordered} {
				c := Config{KeyPrefix: prefix, ZeroPadding: zeros, InsertOrder: order}
				keys := newKeyText(&c)
				for _, n := range numbers {
					number := uint64(n)
					if order == Hashed {
						number = hashSlowly(number)
					}
					want := fmt.Sprintf("%s%0*d", prefix, zeros, number)
					if got := string(keys.key(n)); got != want {
						t.Fatalf("%s key of %d, prefix %q, %d digits: %q, want %q", order, n, prefix, zeros, got, want)
					}
				}
			}
		}
	}
}

func TestDecimals(t *testing.T) {
	for p, d := uint64(1), 1; ; p, d = p*10, d+1 {
		for _, n := range []uint64{p, p + 1, p - 1} {
			want := len(fmt.Sprint(n))
			if got := decimals(n); got != want {
				t.Errorf("%d has %d digits, want %d", n, got, want)
			}
		}
		if d == 20 {
			break
		}
	}
	if got := decimals(math.MaxUint64); got != 20 {
		t.Errorf("the greatest number has %d digits, want 20", got)
	}
}

// TestEveryQuad has each number of four digits at each place.
func TestEveryQuad(t *testing.T) {
	c := Config{InsertOrder: Ordered, ZeroPadding: 20}
	keys := newKeyText(&c)
	for n := range int64(10000) {
		for _, n := range []int64{n, n * 1e4, n * 1e8, n * 1e12, n % 923 * 1e16, n*1e4 + 9999, n*1e8 + 12345678} {
			if got, want := string(keys.key(n)), fmt.Sprintf("%020d", n); got != want {
				t.Fatalf("%d is written %s", n, got)
			}
		}
	}
}

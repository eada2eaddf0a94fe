package caches

import (
	"math"
	"testing"
)

// TestZeta: the short sum is the long one.
func TestZeta(t *testing.T) {
	for _, n := range []int{1, 2, 999, 1000, 1001, 1010, 12_345, 1_200_000} {
		want := 0.0
		for i := n; i >= 1; i-- { // small ones first
			want += math.Pow(float64(i), -Theta)
		}
		if got := zeta(n); math.Abs(got-want) > 1e-11*want {
			t.Errorf("zeta(%d) is %.15g, want %.15g", n, got, want)
		}
	}
}

// TestZipfDraws holds draws against the law of the generator: the counts of keys, and
// of groups of keys, are within 5 standard deviations.
func TestZipfDraws(t *testing.T) {
	const keys, draws, seed = 10_000, 1_000_000, 1
	z, err := NewZipf(keys)
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]int, keys)
	for k, i := z.Keys(seed), 0; i < draws; i++ {
		counts[k.Next()]++
	}
	edges := []int{0, 1, 2, 3, 4, 5, 8, 16, 50, 100, 500, 1000, 5000, keys}
	for i, from := range edges[:len(edges)-1] {
		to := edges[i+1]
		got := 0
		for _, n := range counts[from:to] {
			got += n
		}
		p := z.Below(to) - z.Below(from)
		want, sd := p*draws, math.Sqrt(draws*p*(1-p))
		if math.Abs(float64(got)-want) > 5*sd {
			t.Errorf("keys %d … %d: %d draws, want %.0f ± %.0f (seed %d)", from, to-1, got, want, sd, seed)
		}
	}
}

// TestZipfLaw holds the law of the generator against the true distribution, which it
// approximates: popular keys exactly, shares of many keys within two percent.
func TestZipfLaw(t *testing.T) {
	for _, keys := range []int{10_000, 1_200_000, 10_000_000} {
		z, err := NewZipf(keys)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range []int{1, 2} {
			if got, want := z.Below(k), zeta(k)/zeta(keys); math.Abs(got-want) > 1e-12 {
				t.Errorf("%d of %d keys: share %v, want %v", k, keys, got, want)
			}
		}
		for k := 10; k <= keys; k *= 10 {
			if got, want := z.Below(k), zeta(k)/zeta(keys); math.Abs(got-want) > 0.02 {
				t.Errorf("%d of %d keys: share %v, want about %v", k, keys, got, want)
			}
		}
	}
}

// TestZipfEdges: every u has a key, and keys do not fall as u rises.
func TestZipfEdges(t *testing.T) {
	for _, keys := range []int{3, 4, 10, 1000} {
		z, err := NewZipf(keys)
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		for i := range 100_000 {
			k := z.at(float64(i) / 100_000)
			if k < last || k >= keys {
				t.Fatalf("%d keys: key %d after %d", keys, k, last)
			}
			last = k
		}
		if k := z.at(math.Nextafter(1, 0)); k != keys-1 {
			t.Errorf("%d keys: the last is %d", keys, k)
		}
	}
	if _, err := NewZipf(2); err == nil {
		t.Error("no error for two keys")
	}
}

// TestKeysDiffer: goroutines ask for different keys, each for the same in each run.
func TestKeysDiffer(t *testing.T) {
	z, err := NewZipf(1_000_000)
	if err != nil {
		t.Fatal(err)
	}
	a, b, again := z.Keys(1), z.Keys(2), z.Keys(1)
	same := 0
	for range 1000 {
		x, y := a.Next(), b.Next()
		if x == y {
			same++
		}
		if z := again.Next(); z != x {
			t.Fatalf("key %d, then %d from the same seed", x, z)
		}
	}
	if same > 100 {
		t.Errorf("%d of 1000 keys are the same", same)
	}
}

func BenchmarkKeys(b *testing.B) {
	z, err := NewZipf(Full.Keys)
	if err != nil {
		b.Fatal(err)
	}
	keys := z.Keys(1)
	for b.Loop() {
		keys.Next()
	}
}

package caches

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Theta is the exponent of the Zipfian distribution: key k, from 0, is asked for in
// proportion to 1/(k+1)^Theta.
const Theta = 0.99

// A Zipf is a Zipfian distribution over 0 … n-1 by the approximation of Gray et al.,
// "Quickly Generating Billion-Record Synthetic Databases" (SIGMOD 1994), which YCSB
// uses too. The first two keys have their exact share, the others that of a power
// law. It is not scrambled: key 0 is the most popular. A Zipf may be shared; each
// goroutine draws through keys of its own.
type Zipf struct {
	n                         float64
	zetan, alpha, eta, second float64
}

// NewZipf returns the distribution over n keys, at least 3: with fewer there is
// nothing behind the first two.
func NewZipf(n int) (*Zipf, error) {
	if n < 3 {
		return nil, fmt.Errorf("zipf over %d keys: want at least 3", n)
	}
	zetan := zeta(n)
	return &Zipf{
		n: float64(n), zetan: zetan, alpha: 1 / (1 - Theta),
		eta:    (1 - math.Pow(2/float64(n), 1-Theta)) / (1 - zeta(2)/zetan),
		second: 1 + math.Pow(0.5, Theta),
	}, nil
}

// zeta is the sum of 1/i^Theta for i from 1 to n. The generators that are copied
// around add up all n terms; behind the first thousand the Euler–Maclaurin formula
// gives the rest to the last digits.
func zeta(n int) float64 {
	const direct = 1000
	sum := 0.0
	for i := 1; i <= min(n, direct); i++ {
		sum += math.Pow(float64(i), -Theta)
	}
	if n <= direct {
		return sum
	}
	a, b := float64(direct), float64(n)
	f := func(x float64) float64 { return math.Pow(x, -Theta) }
	df := func(x float64) float64 { return -Theta * math.Pow(x, -Theta-1) }
	integral := (math.Pow(b, 1-Theta) - math.Pow(a, 1-Theta)) / (1 - Theta)
	return sum + integral + (f(b)-f(a))/2 + (df(b)-df(a))/12
}

// at returns the key of u, 0 ≤ u < 1.
func (z *Zipf) at(u float64) int {
	uz := u * z.zetan
	if uz < 1 {
		return 0
	}
	if uz < z.second {
		return 1
	}
	// x^alpha; both factors are short on amd64, where Pow would take a loop.
	k := int(z.n * math.Exp(z.alpha*math.Log(z.eta*u-z.eta+1)))
	return min(k, int(z.n)-1)
}

// Below returns the share of draws that are less than k, by the approximation.
func (z *Zipf) Below(k int) float64 {
	switch {
	case k <= 0:
		return 0
	case k == 1:
		return 1 / z.zetan
	case k == 2:
		return z.second / z.zetan
	case float64(k) >= z.n:
		return 1
	}
	u := (math.Pow(float64(k)/z.n, 1/z.alpha) - 1 + z.eta) / z.eta
	return max(u, z.second/z.zetan)
}

// Keys draws from a Zipf. It is for one goroutine.
type Keys struct {
	z   *Zipf
	rng *rand.Rand
}

// Keys returns a sequence of draws that follows from the seed.
func (z *Zipf) Keys(seed uint64) *Keys {
	return &Keys{z, rand.New(rand.NewPCG(seed, 0))}
}

// Next draws a key.
func (k *Keys) Next() int { return k.z.at(k.rng.Float64()) }

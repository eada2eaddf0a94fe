package main

import (
	"fmt"
	"math"
)

const (
	first   = 50_000     // entries of the first try; bigcache, sized in MiB, holds some
	most    = 50_000_000 // entries beyond which nothing is tried
	precise = 0.02       // relative width at which a search ends
	proofs  = 3          // tries that the result must pass, because peaks differ between processes
)

// search returns the largest number of entries, within precise, whose peak is within the budget in each of proofs tries.
func search(budget int64, peak func(entries int) (int64, error)) (int, error) {
	lo, hi := 0, 0 // the largest that fits, and the smallest that does not
	for n := first; hi == 0 || lo == 0 || float64(hi) > float64(lo)*(1+precise); {
		got, err := peak(n)
		if err != nil {
			return 0, err
		}
		if got <= budget {
			lo = n
		} else {
			hi = n
		}
		switch {
		case hi == 0 && n >= most:
			return 0, fmt.Errorf("%d entries take %d bytes: the budget of %d is too large to fill", n, got, budget)
		case hi == 0:
			n = 2 * n
		case lo == 0 && n < first/50:
			return 0, fmt.Errorf("%d entries take %d bytes: the budget of %d is too small", n, got, budget)
		case lo == 0:
			n /= 2
		default:
			n = int(math.Sqrt(float64(lo) * float64(hi)))
		}
	}
	return proven(lo, budget, peak)
}

// proven reduces a number of entries until its peak is within the budget in each of proofs tries.
func proven(n int, budget int64, peak func(entries int) (int64, error)) (int, error) {
	for passed := 0; passed < proofs; {
		got, err := peak(n)
		if err != nil {
			return 0, err
		}
		if passed++; got > budget {
			n, passed = int(float64(n)*(1-precise)), 0
		}
	}
	return n, nil
}

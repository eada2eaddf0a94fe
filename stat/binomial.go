package stat

import "math"

// Binomial probabilities are used by the order-statistic intervals, the sign test,
// Clopper–Pearson and the bootstrap of medians. They are exact to
// rounding for every n: moremath's switch to the normal approximation at
// n > 30 and its continued fraction, which panics for large arguments, are
// not used.

// binomialPMF is P(X = k) for X ~ Bin(n, p).
func binomialPMF(n int, p float64, k int) float64 {
	switch {
	case k < 0 || k > n:
		return 0
	case p <= 0:
		return indicator(k == 0)
	case p >= 1:
		return indicator(k == n)
	case n > 1000:
		l := lgamma(n+1) - lgamma(k+1) - lgamma(n-k+1)
		return math.Exp(l + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
	}
	// C(n,k) p^k (1-p)^(n-k), the factors so interleaved that nothing
	// overflows; the error grows only with the number of factors.
	t, failures := 1.0, n-k
	for i := 1; i <= k; i++ {
		t *= float64(n-k+i) / float64(i) * p
		for t > 1 && failures > 0 {
			t *= 1 - p
			failures--
		}
	}
	return t * math.Pow(1-p, float64(failures))
}

// binomialCDF is P(X ≤ k) for X ~ Bin(n, p). The tail that does not hold the
// mean is summed outward from its largest term, about √n terms.
func binomialCDF(n int, p float64, k int) float64 {
	switch {
	case k < 0:
		return 0
	case k >= n:
		return 1
	case p <= 0:
		return 1
	case p >= 1:
		return 0
	}
	odds := p / (1 - p)
	if float64(k) <= float64(n)*p {
		sum, term := 0.0, binomialPMF(n, p, k)
		for i := k; i >= 0 && term > sum*1e-18; i-- {
			sum += term
			term *= float64(i) / (float64(n-i+1) * odds)
		}
		return min(sum, 1)
	}
	sum, term := 0.0, binomialPMF(n, p, k+1)
	for i := k + 1; i <= n && term > sum*1e-18; i++ {
		sum += term
		term *= float64(n-i) / float64(i+1) * odds
	}
	return max(1-sum, 0)
}

// signP returns the two-sided p of the exact sign test: the probability that n fair
// coins fall at least as unevenly as k heads.
func signP(n, k int) float64 {
	if n == 0 {
		return 1
	}
	return min(1, 2*binomialCDF(n, 0.5, min(k, n-k)))
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func lgamma(n int) float64 {
	l, _ := math.Lgamma(float64(n))
	return l
}

// choose returns the binomial coefficient C(n, k) as a float64.
func choose(n, k int) float64 {
	k = min(k, n-k)
	c := 1.0
	for i := 1; i <= k; i++ {
		c = c * float64(n-k+i) / float64(i)
	}
	return c
}

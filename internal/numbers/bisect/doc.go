// Package bisect finds the commit from which a benchmark has another level, from values that are noisy. It measures
// nothing and knows no git, so that its tests can simulate thousands of searches. A [Search] says which commits to measure
// next, and the caller adds the values.
//
//	s := bisect.New(n, bisect.Options{Seed: 1})
//	for r := s.Next(); len(r.Commits) > 0; r = s.Next() {
//		for _, c := range r.Commits {
//			s.Add(c, measure(c)) // or s.Skip(c)
//		}
//	}
//	found := s.Done()
//
// Commit 0 is GOOD and commit n is BAD. The search is Bayesian: noisy binary search with queries at quantiles of the
// posterior, after Ben-Or & Hassidim ("The Bayesian Learner is Optimal for Noisy Binary Search", FOCS 2008). It takes the
// measured value itself and not a verdict on it, because a value says more. The candidate is then compared with the commit
// before it, interleaved, and is accused only if that comparison shows the step.
//
// [Confirm] decides whether two commits differ, by interim analyses.
package bisect

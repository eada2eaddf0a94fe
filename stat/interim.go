package stat

// InterimAnalysis is a moment at which a running comparison may be decided.
type InterimAnalysis struct {
	Forks      int     // per side, in total so far
	Confidence float64 // level of this analysis
}

// firstAnalysis is the number of forks per side at the first interim analysis.
const firstAnalysis = 10.0

// InterimAnalyses plans the analyses of a comparison that may stop early: at 10, 20,
// 40 … forks per side and finally at most. The last one replaces an analysis less
// than a third before it. Each analysis spends the same part of alpha = 1-confidence
// (Bonferroni): with four at 0.95, each uses 0.9875. So the probability of a false
// alarm is at most alpha, whichever analysis decides.
//
// Up to 13 forks there is one analysis at the full confidence; most ≤ 0 gives none.
func InterimAnalyses(most int, confidence float64) []InterimAnalysis {
	if most <= 0 {
		return nil
	}
	var analyses []InterimAnalysis
	for n := firstAnalysis; n <= 0.75*float64(most); n *= 2 {
		analyses = append(analyses, InterimAnalysis{Forks: int(n)})
	}
	analyses = append(analyses, InterimAnalysis{Forks: most})
	each := 1 - alphaOf(confidence)/float64(len(analyses))
	for i := range analyses {
		analyses[i].Confidence = each
	}
	return analyses
}

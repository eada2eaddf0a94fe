package stat

// Look is one moment at which a running comparison may be judged.
type Look struct {
	Forks      int     // per side, in total so far
	Confidence float64 // at which to judge then
}

// firstLook is the number of forks per side of the first look.
const firstLook = 10.0

// Looks plans when to look at a comparison that may stop early: at 10, 20, 40 …
// forks per side and at last at most, which takes the place of a look less than
// a third before it. Every look spends the same part of alpha = 1-confidence
// (Bonferroni): with four looks at 0.95 each is judged at 0.9875. Whatever is
// decided at whichever look, the chance of a false alarm stays at most alpha.
//
// Up to 13 forks there is one look at the full confidence; most ≤ 0 gives none.
func Looks(most int, confidence float64) []Look {
	if most <= 0 {
		return nil
	}
	var looks []Look
	for n := firstLook; n <= 0.75*float64(most); n *= 2 {
		looks = append(looks, Look{Forks: int(n)})
	}
	looks = append(looks, Look{Forks: most})
	each := 1 - alphaOf(confidence)/float64(len(looks))
	for i := range looks {
		looks[i].Confidence = each
	}
	return looks
}

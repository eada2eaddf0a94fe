// Package suggest measures how far a typed word is from a known one.
//
//	if suggest.Distance("reddis", "redis") <= 2 {
//		hint = "did you mean redis?"
//	}
//
// The caller decides which distance is too large.
package suggest

// Distance returns the number of letters that must be inserted, deleted, changed or swapped with their
// neighbour to turn a into b (Damerau, A Technique for Computer Detection and Correction of Spelling Errors,
// CACM 1964; the variant that edits no letter twice). It distinguishes upper and lower case.
func Distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := range s {
		row[0] = i + 1
		for j := range t {
			change := 1
			if s[i] == t[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}

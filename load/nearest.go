package load

import "strings"

// nearest returns the word that somebody who typed a wrong one probably meant,
// or "" if none is near: at most a third of the letters may differ.
func nearest(typed string, words []string) string {
	best, least := "", len(typed)/3+1
	for _, w := range words {
		if d := distance(strings.ToLower(typed), strings.ToLower(w)); d < least || (d == least && best == "") {
			best, least = w, d
		}
	}
	return best
}

// distance returns how many letters must be put in, left out, changed or swapped
// with their neighbour to make one word of the other (Damerau, A Technique for
// Computer Detection and Correction of Spelling Errors, CACM 1964; the variant
// that edits no letter twice).
func distance(a, b string) int {
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

package kv

import (
	"strings"

	"github.com/tarebench/tare/internal/suggest"
)

// nearest returns the word that somebody who typed a wrong one probably meant,
// or "" if none is near: at most a third of the letters may differ.
func nearest(typed string, words []string) string {
	best, least := "", len(typed)/3+1
	for _, w := range words {
		if d := suggest.Distance(strings.ToLower(typed), strings.ToLower(w)); d < least || (d == least && best == "") {
			best, least = w, d
		}
	}
	return best
}

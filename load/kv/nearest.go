package kv

import (
	"strings"

	"github.com/tarebench/tare/internal/base/suggest"
)

// nearest returns the known word that is nearest to a mistyped one, or "" if more
// than a third of the letters differ.
func nearest(typed string, words []string) string {
	best, least := "", len(typed)/3+1
	for _, w := range words {
		if d := suggest.Distance(strings.ToLower(typed), strings.ToLower(w)); d < least || (d == least && best == "") {
			best, least = w, d
		}
	}
	return best
}

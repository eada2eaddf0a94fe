package kv

import "github.com/tarebench/tare/internal/base/suggest"

// nearest returns the known word that is nearest to a mistyped one, or "" if more
// than a third of the letters differ.
func nearest(typed string, words []string) string {
	return suggest.Nearest(typed, words, len(typed)/3+1)
}

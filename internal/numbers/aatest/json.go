package aatest

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the result as one object.
func (r *Result) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

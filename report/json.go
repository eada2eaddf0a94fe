package report

import (
	"encoding/json"
	"io"

	"github.com/tarebench/tare/summary"
)

// writeJSON writes the summary object, indented, with one newline at the end.
func writeJSON(w io.Writer, s *summary.Summary) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

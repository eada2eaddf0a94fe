package whytext

import (
	"encoding/json"
	"io"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/result/why"
)

// row, answer and cause are the objects of JSON.
type (
	row struct {
		Comparison *result.Comparison `json:"comparison"`
		Answer     answer             `json:"answer"`
		Changed    []why.Hunk         `json:"other_hunks,omitempty"` // all that changed, if it is little and touches no cause
		Missing    []string           `json:"not_looked_at,omitempty"`
	}
	answer struct {
		why.Answer
		Causes []cause `json:"causes"`
	}
	cause struct {
		why.Cause
		Hunks []why.Hunk `json:"hunks,omitempty"`
	}
)

// JSON writes an array of the rows.
func JSON(w io.Writer, rows []Row) error {
	out := []row{}
	for i := range rows {
		r := &rows[i]
		x := row{r.Comparison, answer{Answer: r.Answer, Causes: []cause{}}, r.Changed, r.Missing}
		for k, c := range r.Answer.Causes {
			x.Answer.Causes = append(x.Answer.Causes, cause{c, r.hunksOf(k)})
		}
		out = append(out, x)
	}
	e := json.NewEncoder(termtext.JSON(w))
	e.SetIndent("", "  ")
	return e.Encode(out)
}

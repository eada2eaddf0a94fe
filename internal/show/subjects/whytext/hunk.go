package whytext

import (
	"fmt"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result/why"
)

// title names a hunk: "csv.go @@ -20,5 +20,7 @@ func F() {".
func title(h why.Hunk) string { return h.File + "  " + h.Header }

// left says how many lines of a hunk are not shown.
func left(h why.Hunk) string { return "… " + units.Plural(h.Left, "more line") + " of this hunk" }

// plain returns a hunk as text.
func plain(h why.Hunk) string {
	lines := append([]string{title(h)}, h.Lines...)
	if h.Left > 0 {
		lines = append(lines, left(h))
	}
	return strings.Join(lines, "\n")
}

// sameHunk says that a cause before has the same hunk.
func sameHunk(before int) string { return fmt.Sprintf("the part of the change shown at %d", before+1) }

// little introduces the hunks that touch no cause.
func (r *Row) little() string {
	const all = "all that changed in the Go files of "
	if len(r.Answer.Causes) == 0 {
		return all + "the package"
	}
	return all + "these packages; it touches no line named above"
}

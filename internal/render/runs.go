package render

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/render/markdown"
	"github.com/tarebench/tare/internal/termtext"
)

// BeginRun writes what comes before a run of a file that holds several, in formats that
// have a place for it. name is that of the file with the number of the run. Go's
// benchmark format gets a file key, so that benchstat keeps the runs apart.
func BeginRun(w io.Writer, f Format, name string, number int) {
	name = termtext.Charset{UTF8: true}.Name(name)
	switch f {
	case Text:
		fmt.Fprintf(w, "%s\n\n", name)
	case Markdown:
		fmt.Fprintf(w, "## %s\n\n", markdown.Text(name))
	case Benchfmt:
		fmt.Fprintf(w, "run: %d\nside:\n\n", number)
	}
}

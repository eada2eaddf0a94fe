package profile

import (
	"io"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
)

// Warning is a warning about what is shown.
type Warning = result.Warning

// WriteWarnings writes them as [View.Text] does. An error of w is returned wrapped.
func WriteWarnings(w io.Writer, list []Warning, o Options) error {
	t := newText(o, Config{})
	t.Warn(list)
	return t.Flush(w)
}

// split returns the warnings that are said first, because all figures depend on them, and the others.
func split(list []Warning) (first, others []Warning) {
	for _, w := range list {
		if w.Code == diagnosis.LooksStarved {
			first = append(first, w)
		} else {
			others = append(others, w)
		}
	}
	return first, others
}

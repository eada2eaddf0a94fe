package profile

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/result"
)

// Warning is a warning about what is shown.
type Warning = result.Warning

// WriteWarnings writes them as [View.Text] does. An error of w is returned wrapped.
func WriteWarnings(w io.Writer, list []Warning, o Options) error {
	t := newText(o, Config{})
	t.warn(list)
	return t.to(w)
}

func (t *text) warn(list []Warning) {
	if len(list) == 0 {
		return
	}
	var notes page.Notes
	notes.Run(list...)
	t.Blank()
	t.Notes(&notes)
}

// to writes the text to w.
func (t *text) to(w io.Writer) error {
	if _, err := t.WriteTo(w); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}

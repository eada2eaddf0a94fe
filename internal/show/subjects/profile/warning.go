package profile

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/textpage"
)

// Warning is a warning about what is shown.
type Warning = result.Warning

// WriteWarnings writes them as [View.Text] does. An error of w is returned wrapped.
func WriteWarnings(w io.Writer, list []Warning, o Options) error {
	t := newText(o, Config{})
	t.warn(list)
	return t.to(w)
}

// split returns the warnings that are said first, because all figures depend on them, and the others.
func split(list []Warning) (first, others []Warning) {
	for _, w := range list {
		if w.Code == diagnosis.CodeWaiting {
			first = append(first, w)
		} else {
			others = append(others, w)
		}
	}
	return first, others
}

// warnFirst writes warnings above the profile.
func (t *text) warnFirst(list []Warning) {
	if len(list) == 0 {
		return
	}
	var notes textpage.Notes
	notes.Run(list...)
	t.Notes(&notes)
	t.Blank()
}

func (t *text) warn(list []Warning) {
	if len(list) == 0 {
		return
	}
	var notes textpage.Notes
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

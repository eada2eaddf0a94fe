package profile

import (
	"fmt"
	"io"

	"github.com/tarebench/tare/internal/termtext"
)

// A Warning is a doubt about what is shown.
type Warning struct {
	Code   string `json:"code"`             // a stable word for scripts
	Text   string `json:"text"`             // one line
	Advice string `json:"advice,omitempty"` // what to do about it, one line
}

// WriteWarnings writes them as [View.Text] does: each behind an empty line. An error of w is
// returned wrapped.
func WriteWarnings(w io.Writer, list []Warning, o Options) error {
	t := newText(o)
	t.warn(list)
	return t.to(w)
}

func (t *text) warn(list []Warning) {
	for _, x := range list {
		t.Print(termtext.Normal, "")
		t.say("%s", termtext.Warning(x.Text, x.Advice))
	}
}

// to writes the text to w.
func (t *text) to(w io.Writer) error {
	if _, err := t.WriteTo(w); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return nil
}

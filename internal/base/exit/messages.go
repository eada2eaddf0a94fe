package exit

import (
	"io"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
)

// Shown returns a text as people may see it on a terminal: without secrets, and without characters that
// a terminal would obey. Doing it twice changes nothing.
func Shown(text string) string { return termtext.Visible(redact.Text(text)) }

// Messages is standard error. What is written to it has been through [Shown], whoever writes: texts repeat the names of
// files and benchmarks, and what servers and other programs answered. Each call of Write must have whole lines, or at
// least whole words.
type Messages struct{ w io.Writer }

// NewMessages returns one that writes to w.
func NewMessages(w io.Writer) *Messages { return &Messages{w} }

func (m *Messages) Write(b []byte) (int, error) {
	if _, err := io.WriteString(m.w, Shown(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Terminal returns the writer below, for whoever moves the cursor of a terminal. What others have written must not be
// written there.
func (m *Messages) Terminal() io.Writer { return m.w }

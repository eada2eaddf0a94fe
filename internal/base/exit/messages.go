package exit

import (
	"io"

	"github.com/tarebench/tare/internal/base/redact"
	"github.com/tarebench/tare/internal/base/termtext"
)

// Shown returns a text as people may see it on a terminal: without secrets, and without characters that
// a terminal would obey. Doing it twice changes nothing.
func Shown(text string) string { return termtext.Visible(redact.Text(text)) }

// Messages is standard error. Every write passes through [Shown], because messages repeat the names of files and
// benchmarks, and the answers of servers and other programs. Each call of Write must have whole lines, or at least whole
// words.
type Messages struct{ w io.Writer }

// NewMessages returns a Messages that writes to w.
func NewMessages(w io.Writer) *Messages { return &Messages{w} }

func (m *Messages) Write(b []byte) (int, error) {
	if _, err := io.WriteString(m.w, Shown(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Terminal returns the writer below, for escape sequences that move the cursor of a terminal. Texts from files and other
// programs must not be written there.
func (m *Messages) Terminal() io.Writer { return m.w }

package session

import (
	"github.com/tarebench/tare/internal/redact"
	"github.com/tarebench/tare/record"
)

// withoutSecrets returns a line with the secrets of addresses hidden in what others have written: the text of warnings,
// the output of forks, the reason of an end. The line itself is not changed.
func withoutSecrets(l record.Line) record.Line {
	switch l := l.(type) {
	case *record.Warn:
		x := *l
		x.Text, x.Advice = redact.Addresses(l.Text), redact.Addresses(l.Advice)
		return &x
	case *record.Fork:
		x := *l
		x.Tail = redact.Addresses(l.Tail)
		return &x
	case *record.End:
		x := *l
		x.Why = redact.Addresses(l.Why)
		return &x
	}
	return l
}

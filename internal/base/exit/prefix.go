package exit

import "strings"

// TrimPrefix returns an error without the prefix of each line of its text: the name of a package
// that people do not know. The error unwraps to err.
func TrimPrefix(err error, prefix string) error {
	return &trimmed{err, strings.ReplaceAll("\n"+err.Error(), "\n"+prefix, "\n")[1:]}
}

// trimmed is an error with another text.
type trimmed struct {
	error
	text string
}

func (t *trimmed) Error() string { return t.text }
func (t *trimmed) Unwrap() error { return t.error }

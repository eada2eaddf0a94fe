package load

import "strings"

// WithClass returns the error with a class for [Class] that only the binding knows,
// as "server" for an error that the server returned. It returns nil for a nil error.
func WithClass(class string, err error) error {
	if err == nil {
		return nil
	}
	return &classed{err, class}
}

type classed struct {
	error
	class string
}

func (c *classed) Class() string { return c.class }
func (c *classed) Unwrap() error { return c.error }

// Mask returns the error with the secrets in its text replaced by "***": a wrong
// server may echo its input. Empty secrets are ignored. It returns nil for a nil
// error.
func Mask(err error, secrets ...string) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "***")
		}
	}
	if text == err.Error() {
		return err
	}
	return &redactedError{text, err}
}

type redactedError struct {
	text string
	err  error
}

func (m *redactedError) Error() string { return m.text }
func (m *redactedError) Unwrap() error { return m.err }

package load

import "errors"

// WithStatus returns the error with the status that the server answered, such as "503" or
// "NotFound": errors are counted by operation, class and status. It returns nil for a nil
// error.
func WithStatus(status string, err error) error {
	if err == nil {
		return nil
	}
	return &statusError{err, status}
}

type statusError struct {
	error
	status string
}

func (s *statusError) Status() string { return s.status }
func (s *statusError) Unwrap() error  { return s.error }

// Status returns the status that an operation's error has from [WithStatus], or "".
func Status(err error) string {
	var own interface{ Status() string }
	if errors.As(err, &own) {
		return own.Status()
	}
	return ""
}

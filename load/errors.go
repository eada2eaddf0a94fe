package load

import "errors"

// Errors of a target, which may wrap them. See [Class].
var (
	ErrNotFound    = errors.New("not found")
	ErrUnsupported = errors.New("not supported")
	ErrIntegrity   = errors.New("the value is not what was written")
)

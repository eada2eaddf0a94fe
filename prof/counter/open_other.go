//go:build !linux

package counter

import "errors"

func openTaskClock(bool) error { return errors.ErrUnsupported }

//go:build !linux

package session

import (
	"context"
	"time"
)

const userWait = time.Duration(0)

// userLock does nothing: where there are no abstract sockets, the lock is that of the user.
type userLock struct{}

func newUserLock() *userLock { return nil }

func (*userLock) wait(context.Context, func(string)) (string, error) { return "", nil }

func (*userLock) countAll() {}

func (*userLock) announce() {}

func (*userLock) others() string { return "" }

func (*userLock) close() {}

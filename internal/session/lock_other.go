//go:build !unix

package session

import (
	"context"
	"os"
)

// MachineLock is nothing where files cannot be locked as on unix.
type MachineLock struct{}

func lockMachine(context.Context, func(string)) (*MachineLock, error) { return nil, nil }

// Unlock does nothing.
func (*MachineLock) Unlock() {}

func claimRecord(*os.File) error { return nil }

//go:build !unix

package cli

import (
	"context"
	"errors"
	"os"
)

type machineLock struct{}

var errBusy = errors.New("another tare is measuring on this machine")

// lockMachine does nothing where files cannot be locked as on unix.
func lockMachine(context.Context, func(string)) (*machineLock, error) { return nil, nil }

func (*machineLock) unlock() {}

// claim does nothing, either.
func claim(*os.File) error { return nil }

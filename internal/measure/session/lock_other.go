//go:build !unix

package session

import (
	"context"
	"os"
)

// lockMachine takes no lock: files cannot be locked as on unix.
func lockMachine(context.Context, func(string)) (*os.File, string, error) { return nil, "", errNested }

func announcePresence(holder) *presence { return nil }

func claimRecord(*os.File) error { return nil }

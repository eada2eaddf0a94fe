//go:build !linux && !darwin

package layout

import (
	"context"
	"errors"
)

var errSystem = errors.New("not on this system; --binary reads types from debug data")

func (goVersion) cached(context.Context) (string, error)        { return "", errSystem }
func (goVersion) build(context.Context, string) (string, error) { return "", errSystem }

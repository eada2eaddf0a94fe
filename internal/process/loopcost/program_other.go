//go:build !linux && !darwin

package loopcost

import (
	"context"
	"errors"

	"github.com/tarebench/tare/internal/golang/helper"
)

func program(context.Context, helper.Config) (string, error) {
	return "", errors.New("not on this system")
}

//go:build linux || darwin

package reference

import (
	"context"
	"embed"

	"github.com/tarebench/tare/internal/golang/helper"
)

//go:embed helper/*.go
var sources embed.FS

func program(ctx context.Context, cfg helper.Config) (string, error) {
	return helper.Program{Name: "reference", Sources: sources}.Cached(ctx, cfg)
}

//go:build linux || darwin

package loopcost

import (
	"context"
	"embed"

	"github.com/tarebench/tare/internal/golang/helper"
)

//go:embed helper/*.go
var sources embed.FS

// program returns the path of the program that is built by some settings.
func program(ctx context.Context, s settings) (string, error) {
	return helper.Program{Name: "loops", Sources: sources, Flags: s.flags, Env: s.env}.Cached(ctx, helper.Config{})
}

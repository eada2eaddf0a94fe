//go:build linux || darwin

package loopcost

import (
	"context"
	_ "embed"

	"github.com/tarebench/tare/internal/helper"
	"github.com/tarebench/tare/internal/packed"
)

//go:generate go run ../packed/pack helper.gz helper/*.go

//go:embed helper.gz
var sourcesFile []byte

var sources = packed.New(sourcesFile)

// program returns the path of the program that is built by some settings.
func program(ctx context.Context, s settings) (string, error) {
	return helper.Program{Name: "loops", Sources: sources, Flags: s.flags, Env: s.env}.Cached(ctx, helper.Config{})
}

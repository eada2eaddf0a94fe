//go:build linux || darwin

package reference

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

func program(ctx context.Context, cfg helper.Config) (string, error) {
	return helper.Program{Name: "reference", Sources: sources}.Cached(ctx, cfg)
}

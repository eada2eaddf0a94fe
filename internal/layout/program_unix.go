//go:build linux || darwin

package layout

import (
	"context"
	"embed"

	"github.com/tarebench/tare/internal/helper"
)

//go:embed helper/*.go
var sources embed.FS

// program returns the program that reads sources. Without -trimpath most of the standard library is in the user's build
// cache already, which makes the first build three times as fast.
func (g goVersion) program() helper.Program {
	return helper.Program{Name: "typereader", Sources: sources, Version: g.version, Flags: []string{"-trimpath=false"}}
}

// cached returns the path of the program in the user's cache, in which it is built if it is missing.
func (g goVersion) cached(ctx context.Context) (string, error) {
	return g.program().Cached(ctx, helper.Config{Go: g.command})
}

// build builds the program in an empty directory and returns its path.
func (g goVersion) build(ctx context.Context, dir string) (string, error) {
	return g.program().Build(ctx, helper.Config{Go: g.command}, dir)
}

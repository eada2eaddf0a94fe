//go:build linux || darwin

package spawn

import (
	_ "embed"

	"github.com/tarebench/tare/internal/helper"
	"github.com/tarebench/tare/internal/packed"
)

//go:generate go run ../packed/pack helper.gz helper/*.go

//go:embed helper.gz
var sourcesFile []byte

var sources = packed.New(sourcesFile)

var launcher = helper.Program{Name: "launcher", Sources: sources}

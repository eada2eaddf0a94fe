//go:build linux || darwin

package spawn

import (
	"embed"

	"github.com/tarebench/tare/internal/golang/helper"
)

//go:embed helper/*.go
var sources embed.FS

var launcher = helper.Program{Name: "launcher", Sources: sources}

package benchrun

import (
	"fmt"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
)

// buildTemp is where go commands write while they build. A go command that is
// killed leaves its files there, and they are removed with it, by the next run
// if this one is killed as well.
type buildTemp struct{ place *tempdir.Place }

// openBuildTemp makes the directory. Without one a go command would use TMPDIR,
// where others may be able to replace what it builds.
func openBuildTemp() (buildTemp, error) {
	place, err := tempdir.Dir("build")
	if err != nil {
		return buildTemp{}, exit.Failed(fmt.Errorf("no directory for building: %w", err), "")
	}
	return buildTemp{place}, nil
}

func (t buildTemp) path() string {
	if t.place == nil {
		return ""
	}
	return t.place.Path
}

func (t buildTemp) close() {
	if t.place != nil {
		t.place.Remove()
	}
}

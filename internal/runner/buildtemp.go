package runner

import "github.com/tarebench/tare/internal/tempdir"

// buildTemp is where go commands write while they build. A go command that is
// killed leaves its files there, and they are removed with it, by the next run
// if this one is killed as well.
type buildTemp struct{ place *tempdir.Place }

// openBuildTemp makes the directory. Where that fails, go chooses another, or
// says what is wrong.
func openBuildTemp() buildTemp {
	place, _ := tempdir.Dir("build")
	return buildTemp{place}
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

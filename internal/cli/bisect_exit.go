package cli

import (
	"errors"
	"io"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/golang/build"
)

// Exit codes that git bisect run knows: 0 is good, 125 cannot be tested, 128 and above abort, and all others are bad.
const (
	gitBad   = 1
	gitSkip  = 125
	gitAbort = 128 // for flags that are wrong, which they are for every commit
)

// ofCommit reports whether an error of wrong usage is about the commit that is checked out: it lacks a package, or
// does not build.
func ofCommit(err error) bool {
	x := (*build.Error)(nil)
	return errors.As(err, &x)
}

// bisectExit returns an error whose exit code git bisect run understands: an objective that was missed is bad, and
// whatever else went wrong, such as a build that fails, says nothing about the commit. The error is printed before
// its code is lost.
func bisectExit(stderr io.Writer, err error) error {
	if err == nil {
		return nil
	}
	code := exit.Failure
	if e := exit.As(err); e != nil {
		code = e.Code
	}
	switch {
	case code == exit.Missed:
		code = gitBad
	case code >= gitAbort:
		return err
	case code == exit.Misuse && !ofCommit(err):
		code = gitAbort
	default:
		code = gitSkip
	}
	exit.Print(stderr, err, "")
	return exit.Silent(code)
}

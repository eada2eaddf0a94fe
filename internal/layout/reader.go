package layout

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"github.com/tarebench/tare/internal/tempdir"
	"github.com/tarebench/tare/internal/toolchain"
)

// goVersion is a go command that is of one version of Go, as go env GOVERSION names it.
type goVersion struct{ command, version string }

// findGo returns the go command that the one in PATH chooses for a directory. Only a program that is built with it is
// sure to read the export data that it writes.
func findGo(ctx context.Context, dir string) (goVersion, error) {
	out, _, err := toolchain.Command{Dir: dir}.Run(ctx, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return goVersion{}, err
	}
	root, version, _ := strings.Cut(strings.TrimSpace(out), "\n")
	return goVersion{toolchain.GoCommand(strings.TrimSpace(root)), strings.TrimSpace(version)}, nil
}

// reader is the program that reads sources. It is found, or built, in the background.
type reader struct {
	goVersion
	path   string // of the program in the cache
	err    error  // why there is no path
	cancel context.CancelFunc
	done   chan struct{} // closed when path or err is set
}

// findReader begins to find the program for the Go version of a directory.
func findReader(ctx context.Context, dir string) *reader {
	ctx, cancel := context.WithCancel(ctx)
	r := &reader{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(r.done)
		if r.goVersion, r.err = findGo(ctx, dir); r.err == nil {
			r.path, r.err = r.cached(ctx)
		}
	}()
	return r
}

// close ends what still goes on in the background, and waits for it.
func (r *reader) close() {
	r.cancel()
	<-r.done
}

// ask has the program read packages. all are the packages that they import. It returns an answer for each package.
func (r *reader) ask(ctx context.Context, q Query, packages []*listed, all map[string]*listed) ([]answer, error) {
	if len(packages) == 0 {
		return nil, nil
	}
	in, err := json.Marshal(newRequest(q, packages, all))
	if err != nil {
		return nil, err
	}
	out, err := r.run(ctx, q.Dir, string(in))
	if err != nil {
		return nil, fmt.Errorf("the program that reads types: %w", err)
	}
	answers, err := decodeAnswers(out, packages, q)
	if err != nil {
		return nil, fmt.Errorf("the program that reads types: %w", err)
	}
	return answers, nil
}

// run runs the program. If the one in the cache cannot be run (no home directory, noexec, a damaged file), it runs one
// that is built for this time.
func (r *reader) run(ctx context.Context, dir, in string) (string, error) {
	<-r.done
	if r.command == "" {
		return "", r.err
	}
	if r.err == nil {
		out, err := runReader(ctx, r.path, dir, in)
		if err == nil || ctx.Err() != nil || errors.As(err, new(*exec.ExitError)) {
			return out, err
		}
		os.Remove(r.path) // the next run builds it anew
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	place, err := tempdir.Dir("typereader")
	if err != nil {
		return "", errors.Join(r.err, err)
	}
	defer place.Remove()
	path, err := r.build(ctx, place.Path)
	if err != nil {
		return "", err
	}
	return runReader(ctx, path, dir, in)
}

// runReader runs the program and returns its output. If it fails, the error has what it says, and wraps an
// [*exec.ExitError].
func runReader(ctx context.Context, path, dir, in string) (string, error) {
	cmd := exec.CommandContext(ctx, path)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
	cmd.Env = append(os.Environ(), "GODEBUG=") // the user's could change how it reads types
	out, said, err := toolchain.Capture(ctx, cmd)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && strings.TrimSpace(said) != "" {
		err = fmt.Errorf("%s (%w)", strings.TrimSpace(said), exit)
	}
	return out, err
}

package build

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// place is where and how go builds a package: in the user's directory, or in a temporary module with its own
// environment and flags.
type place struct {
	dir   string   // absolute
	env   []string // K=V
	flags []string
	root  string // GOROOT of the go command; "": the one in PATH
}

// goCommand prepares `go args...` in at. It fails if there is no go command.
func (o Options) goCommand(ctx context.Context, at place, args ...string) (*exec.Cmd, error) {
	name := "go"
	if at.root != "" {
		name = toolchain.GoCommand(at.root)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, &Error{
			Input: "go", Err: err,
			Msg:  "the go command was not found in PATH",
			Hint: "add the bin directory of a Go installation to PATH, or install Go from https://go.dev/dl",
		}
	}
	if fi, err := os.Stat(at.dir); err != nil {
		return nil, &Error{Input: at.dir, Msg: "no such directory", Err: err}
	} else if !fi.IsDir() {
		return nil, &Error{Input: at.dir, Msg: "not a directory", Err: fs.ErrInvalid}
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = at.dir
	cmd.Env = o.environ(at.dir, at.env)
	toolchain.Interruptible(cmd)
	return cmd, nil
}

// goFailure is the error of a go command, with what it printed.
type goFailure struct {
	output string
	err    error
}

func (f *goFailure) Error() string { return f.err.Error() + ": " + f.output }
func (f *goFailure) Unwrap() error { return f.err }

// capture runs `go args...` and returns its standard output and standard error separately. If go fails, the error is
// a *goFailure; otherwise it says why go could not run or that ctx ended.
func (o Options) capture(ctx context.Context, at place, args ...string) (stdout []byte, stderr string, err error) {
	cmd, err := o.goCommand(ctx, at, args...)
	if err != nil {
		return nil, "", err
	}
	out, stderr, err := toolchain.Capture(ctx, cmd)
	return []byte(out), stderr, withOutput(withCommand(ctx, cmd, err), stderr)
}

// combined runs `go args...` and returns its standard output and standard error in order.
func (o Options) combined(ctx context.Context, at place, args ...string) (output string, err error) {
	cmd, err := o.goCommand(ctx, at, args...)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = withCommand(ctx, cmd, toolchain.Ended(ctx, cmd.Run(), out.String()))
	return out.String(), withOutput(err, out.String())
}

// withCommand adds the command's name to err if ctx ended it.
func withCommand(ctx context.Context, cmd *exec.Cmd, err error) error {
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("go %s: %w", cmd.Args[1], context.Cause(ctx))
	}
	return err
}

// withOutput returns a *goFailure if err is the error of a command that ran to its end.
func withOutput(err error, output string) error {
	var exit *exec.ExitError
	var signal *toolchain.SignalError
	if errors.As(err, &exit) && !errors.As(err, &signal) {
		return &goFailure{output: output, err: err}
	}
	return err
}

// goEnv returns go's settings at a place: the output of `go env`, without those that differ from call to call or do
// not affect a binary.
func (o Options) goEnv(ctx context.Context, at place) (map[string]string, error) {
	out, _, err := o.capture(ctx, at, "env", "-json")
	if err != nil {
		return nil, explainFailure("go env", err)
	}
	env := make(map[string]string)
	if err := json.Unmarshal(out, &env); err != nil {
		return nil, fmt.Errorf("go env -json: %w", err)
	}
	// GOGCCFLAGS contains a new temporary directory in each call. The others say where go fetches and stores files
	// and which go.mod applies; go itself knows what follows from that.
	for _, name := range []string{"GOGCCFLAGS", "GOMOD", "GOWORK", "GOCACHE", "GOTMPDIR",
		"GOPROXY", "GOSUMDB", "GONOPROXY", "GONOSUMDB", "GOPRIVATE", "GOVCS", "GOAUTH",
		"GOTELEMETRY", "GOTELEMETRYDIR", "GOTOOLCHAIN", "GOBIN"} {
		delete(env, name)
	}
	return env, nil
}

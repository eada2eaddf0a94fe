// Package git runs git without asking anybody anything: hooks and prompts are disabled, and variables of a surrounding git
// do not choose another repository.
//
//	out, err := git.Call{Dir: dir, Args: []string{"rev-parse", "HEAD"}}.Output(ctx)
package git

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

// Call is one call of git.
type Call struct {
	Dir   string    // where git runs
	Args  []string  // the command and its arguments
	Env   []string  // K=V beside the environment of this process
	Stdin io.Reader // nil for nothing
}

// Error says that git failed. Stderr is what it printed, whole.
type Error struct {
	Command string // of git, such as "fetch"
	Stderr  string
	Err     error
}

func (e *Error) Error() string {
	lines := strings.Split(strings.TrimSpace(e.Stderr), "\n")
	lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" || strings.HasPrefix(s, "hint: ") })
	for _, begin := range []string{"fatal: ", "error: "} { // before advice that follows
		for _, line := range lines {
			if text, ok := strings.CutPrefix(line, begin); ok {
				return "git " + e.Command + ": " + text
			}
		}
	}
	if len(lines) > 0 {
		return "git " + e.Command + ": " + lines[len(lines)-1]
	}
	return fmt.Sprintf("git %s: %v", e.Command, e.Err)
}

// Unwrap returns the error of the process.
func (e *Error) Unwrap() error { return e.Err }

// Command returns the process, which has not been started.
func (c Call) Command(ctx context.Context) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", c.Dir, "-c", "core.hooksPath=" + os.DevNull}, c.Args...)...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(local, name)
	})
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	cmd.Env = append(cmd.Env, c.Env...)
	cmd.Stdin = c.Stdin
	return cmd
}

// Output runs git and returns its standard output, or an *Error.
func (c Call) Output(ctx context.Context) (string, error) {
	cmd := c.Command(ctx)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return stdout.String(), &Error{Command: c.Args[0], Stderr: stderr.String(), Err: err}
	}
	return stdout.String(), nil
}

// local are the variables of git rev-parse --local-env-vars that may be set where tare runs.
var local = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR",
	"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
}

// LastLine returns the last line of what a program printed.
func LastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

package spawn

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Spec says what to start.
type Spec struct {
	// Path is the program. A bare name is looked up in PATH; a relative path starts at this process's
	// directory, whatever Dir is.
	Path string

	// Args are the arguments after the program's name.
	Args []string

	// Dir is where the child runs. Default: this process's directory.
	Dir string

	// Env is the environment, the last of several values winning. Default: this process's.
	Env []string

	// Stdout and Stderr receive the child's output; they may be the same file. Default: the null device. They
	// stay the caller's, to be closed when Spawn has returned, and are put into blocking mode, as programs expect it.
	Stdout, Stderr *os.File

	// Extra become descriptors 3, 4, … of the child, at most 60. Not on Windows.
	Extra []*os.File

	// Hold keeps the child from executing its program until [Child.Release], so that a profiler can attach to its
	// process before its first instruction. Only on Linux, and only with a launcher program.
	Hold bool

	// Timeout ends the child. Default: none.
	Timeout time.Duration

	// Grace makes a timeout begin with SIGQUIT, so that a Go program prints its stacks, and is how long it has for
	// that before SIGKILL. Default: SIGKILL at once.
	Grace time.Duration

	// Ask is the signal that asks the child's group to end, where the timeout is over and where Spawn's context
	// ends, Grace before SIGKILL: for programs that have something to tidy up. Default: SIGQUIT where the timeout is
	// over, and SIGKILL at once where the context ends. Not on Windows.
	Ask syscall.Signal
}

const (
	maxExtra   = 60
	maxRequest = 64 << 20 // bytes; the kernel takes some MiB at most, so this only guards the length field
)

// job is a Spec with everything resolved: what is sent to the launcher.
type job struct {
	path, dir string // absolute
	args, env []string
	files     []*os.File // descriptors 1, 2, 3, …
	null      *os.File   // ours, if one was needed
	gate      *os.File   // the last of files, if the child is to be held
}

// job resolves what depends on this process, which the launcher knows nothing about, and reports all that is wrong.
func (s *Spec) job() (*job, error) {
	path, err := program(s.Path)
	dir, dirErr := filepath.Abs(s.Dir)
	err = errors.Join(err, dirErr)
	if len(s.Extra) > maxExtra {
		err = errors.Join(err, fmt.Errorf("launch: %s: %d extra files, at most %d can be passed", s.Path, len(s.Extra), maxExtra))
	}
	if s.Timeout < 0 || s.Grace < 0 {
		err = errors.Join(err, fmt.Errorf("launch: %s: negative timeout %v or grace %v", s.Path, s.Timeout, s.Grace))
	}
	for i, f := range s.Extra {
		if f == nil {
			err = errors.Join(err, fmt.Errorf("launch: %s: extra file %d is nil", s.Path, i))
		}
	}
	j := &job{
		path: path,
		dir:  dir,
		args: append([]string{s.Path}, s.Args...),
		env:  (&exec.Cmd{Dir: s.Dir, Env: s.Env}).Environ(), // removes duplicates, sets PWD
	}
	for _, text := range slices.Concat([]string{path, dir}, j.args, s.Env) { // Environ has dropped what is bad in Env
		if strings.IndexByte(text, 0) >= 0 {
			err = errors.Join(err, fmt.Errorf("launch: %s: %q holds a zero byte", s.Path, text))
		}
	}
	if size := j.size(); size > maxRequest {
		err = errors.Join(err, fmt.Errorf("launch: %s: arguments and environment hold %s, more than any system takes", s.Path, mib(size)))
	}
	if err != nil {
		return nil, err
	}
	return j, j.open(s)
}

func program(path string) (string, error) {
	if path == "" {
		return "", errors.New("launch: no program named")
	}
	if filepath.Base(path) == path {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("launch: %w", err)
		}
		path = found
	}
	return filepath.Abs(path)
}

// open fills in the descriptors, with the null device for those not given.
func (j *job) open(s *Spec) (err error) {
	j.files = append([]*os.File{s.Stdout, s.Stderr}, s.Extra...)
	for i, f := range j.files {
		if f != nil {
			continue
		}
		if j.null == nil {
			if j.null, err = os.OpenFile(os.DevNull, os.O_RDWR, 0); err != nil {
				return fmt.Errorf("launch: %s: %w", s.Path, err)
			}
		}
		j.files[i] = j.null
	}
	return nil
}

// hold adds the descriptor that a held child waits on, and returns the end that lets it go.
func (j *job) hold() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("launch: %w", err)
	}
	j.gate = r
	j.files = append(j.files, r)
	return w, nil
}

func (j *job) release() {
	if j.gate != nil {
		j.gate.Close()
	}
	if j.null != nil {
		j.null.Close()
	}
}

// explain turns what fork, chdir or exec said into an error that names the culprit: all three return a bare errno.
func (j *job) explain(errno error) error {
	if info, err := os.Stat(j.dir); err != nil {
		return fmt.Errorf("launch: working directory: %w", err)
	} else if !info.IsDir() {
		return fmt.Errorf("launch: working directory: %w", &fs.PathError{Op: "chdir", Path: j.dir, Err: syscall.ENOTDIR})
	}
	err := &fs.PathError{Op: "exec", Path: j.path, Err: errno}
	switch {
	case errors.Is(errno, fs.ErrNotExist) && exists(j.path):
		return fmt.Errorf("launch: %w (it is there, so its interpreter or loader is not)", err)
	case errors.Is(errno, syscall.E2BIG):
		return fmt.Errorf("launch: %w (arguments and environment hold %s)", err, mib(j.size()))
	}
	return fmt.Errorf("launch: %w", err)
}

// size is what exec has to copy, in bytes.
func (j *job) size() (n int64) {
	for _, text := range slices.Concat(j.args, j.env) {
		n += int64(len(text)) + 1
	}
	return n
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

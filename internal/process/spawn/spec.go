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

	"github.com/tarebench/tare/internal/base/units"
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

	// Stdout and Stderr receive the child's output; they may be the same file. Default: the null device. The
	// caller closes them after Spawn has returned. They are put into blocking mode, as programs expect.
	Stdout, Stderr *os.File

	// Extra become descriptors 3, 4, … of the child, at most 60. Not on Windows.
	Extra []*os.File

	// Hold delays the program until [Child.Release], so that a profiler can attach to the process before its
	// first instruction. Linux only, and only with a launcher program.
	Hold bool

	// Timeout ends the child. Default: none.
	Timeout time.Duration

	// Grace is the time between StopSignal and SIGKILL. Default 0: SIGKILL at once.
	Grace time.Duration

	// StopSignal is sent to the child's group at the timeout and when Spawn's context ends, Grace before
	// SIGKILL. Default: SIGQUIT at the timeout, on which a Go program prints its stacks, and SIGKILL when the
	// context ends. Not on Windows.
	StopSignal syscall.Signal
}

const (
	maxExtra   = 60
	maxRequest = 64 << 20 // bytes; guards the length field, kernels accept only some MiB
)

// job is a resolved Spec, as it is sent to the launcher.
type job struct {
	path, dir string // absolute
	args, env []string
	files     []*os.File // descriptors 1, 2, 3, …
	null      *os.File   // ours, if one was needed
	gate      *os.File   // the last of files, if the child is to be held
}

// job resolves what depends on this process, such as relative paths, and reports all mistakes at once.
func (s *Spec) job() (*job, error) {
	path, err := program(s.Path)
	dir, dirErr := filepath.Abs(s.Dir)
	err = errors.Join(err, dirErr)
	if len(s.Extra) > maxExtra {
		err = errors.Join(err, fmt.Errorf("spawn: %s: %d extra files, at most %d can be passed", s.Path, len(s.Extra), maxExtra))
	}
	if s.Timeout < 0 || s.Grace < 0 {
		err = errors.Join(err, fmt.Errorf("spawn: %s: negative timeout %v or grace %v", s.Path, s.Timeout, s.Grace))
	}
	for i, f := range s.Extra {
		if f == nil {
			err = errors.Join(err, fmt.Errorf("spawn: %s: extra file %d is nil", s.Path, i))
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
			err = errors.Join(err, fmt.Errorf("spawn: %s: %q contains a zero byte", s.Path, text))
		}
	}
	if size := j.size(); size > maxRequest {
		err = errors.Join(err, fmt.Errorf("spawn: %s: arguments and environment have %s, more than any system accepts", s.Path, units.Bytes(size)))
	}
	if err != nil {
		return nil, err
	}
	return j, j.open(s)
}

func program(path string) (string, error) {
	if path == "" {
		return "", errors.New("spawn: no program given")
	}
	if filepath.Base(path) == path {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("spawn: %w", err)
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
				return fmt.Errorf("spawn: %s: %w", s.Path, err)
			}
		}
		j.files[i] = j.null
	}
	return nil
}

// addGate adds the descriptor that a held child waits on, and returns the end that releases it.
func (j *job) addGate() (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("spawn: %w", err)
	}
	j.gate = r
	j.files = append(j.files, r)
	return w, nil
}

func (j *job) closeFiles() {
	if j.gate != nil {
		j.gate.Close()
	}
	if j.null != nil {
		j.null.Close()
	}
}

// explain turns the bare errno of fork, chdir or exec into an error that names the file at fault.
func (j *job) explain(errno error) error {
	if info, err := os.Stat(j.dir); err != nil {
		return fmt.Errorf("spawn: working directory: %w", err)
	} else if !info.IsDir() {
		return fmt.Errorf("spawn: working directory: %w", &fs.PathError{Op: "chdir", Path: j.dir, Err: syscall.ENOTDIR})
	}
	err := &fs.PathError{Op: "exec", Path: j.path, Err: errno}
	switch {
	case errors.Is(errno, fs.ErrNotExist) && exists(j.path):
		return fmt.Errorf("spawn: %w (the file exists, so its interpreter or loader is missing)", err)
	case errors.Is(errno, syscall.E2BIG):
		return fmt.Errorf("spawn: %w (arguments and environment have %s)", err, units.Bytes(j.size()))
	}
	return fmt.Errorf("spawn: %w", err)
}

// size returns the bytes that exec has to copy.
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

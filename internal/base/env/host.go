package env

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A host is the machine as the probes see it: the files under its root, and functions for the rest. Paths have
// no leading slash, as in [fs.FS].
type host struct {
	root   fs.FS
	os     string
	arch   string
	pid    int
	getenv func(string) string
	facts  func() facts // from system calls, see facts_*.go
	load   func() (float64, error)
	now    func() time.Time
	sleep  func(time.Duration)
	perf   func(event) (userOnly bool, err error)
	golang func() (golang, error)
	space  func(dir string) (space, error)
}

// facts are what system calls report on systems without /proc. Zero means unknown.
type facts struct {
	kernel     string
	cpu        string
	memory     int64
	hypervisor string
}

// thisHost returns the machine on which this process runs.
func thisHost() host {
	return host{
		root:   os.DirFS("/"),
		os:     runtime.GOOS,
		arch:   runtime.GOARCH,
		pid:    os.Getpid(),
		getenv: os.Getenv,
		facts:  systemFacts,
		load:   Load,
		now:    time.Now,
		sleep:  time.Sleep,
		perf:   tryEvent,
		golang: func() (golang, error) { return findGo(context.Background()) },
		space:  dirSpace,
	}
}

// textLimit is the most that is read from one file, in bytes. It suffices for the first processors of
// /proc/cpuinfo, which takes milliseconds to produce with hundreds of cores, and for all other files whole.
const textLimit = 64 << 10

// text returns the first textLimit bytes of a file without surrounding space.
func (h host) text(path string) (string, error) {
	f, err := h.root.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, textLimit))
	if err != nil {
		return "", err
	}
	return string(bytes.TrimSpace(b)), nil
}

// get returns the text of a file, "" if it cannot be read.
func (h host) get(path string) string {
	s, err := h.text(path)
	if err != nil {
		return ""
	}
	return s
}

// number returns the file's content as a number.
func (h host) number(path string) (int64, error) {
	s, err := h.text(path)
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("/%s: %s is no number", path, quoted(s))
	}
	return n, nil
}

func (h host) exists(path string) bool {
	_, err := fs.Stat(h.root, path)
	return err == nil
}

// reason returns an error's text as the reason why something is not available.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		name := "/" + strings.TrimPrefix(p.Path, "/")
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return "no " + name + " here"
		case errors.Is(err, fs.ErrPermission):
			return "no permission to read " + name
		}
		return name + ": " + p.Err.Error()
	}
	return err.Error()
}

// quoted shortens and quotes a file's content.
func quoted(s string) string {
	if len(s) > 40 {
		s = s[:40] + "…"
	}
	return strconv.Quote(s)
}

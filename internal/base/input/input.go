package input

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// Stdin is what standard input is called in messages.
const Stdin = "standard input"

// writerWait is how long Open waits until a process opens a named pipe for writing.
const writerWait = 5 * time.Second

// Input is an open file or standard input.
type Input struct {
	io.Reader
	Name string // for messages: the path, or Stdin

	close func() error
}

// Open opens a file; - is stdin. Of an HTML page of tare the content is that of the records in it. The errors are of wrong usage and name the path. It
// waits up to 5 s for a writer of a named pipe.
func Open(path string, stdin io.Reader) (*Input, error) {
	if path == "-" {
		return &Input{newContent(stdin), Stdin, func() error { return nil }}, nil
	}
	f, err := openWithin(path, writerWait)
	if err != nil {
		return nil, err
	}
	return &Input{newContent(f), path, f.Close}, nil
}

// Close closes the file. Standard input stays open.
func (in *Input) Close() error { return in.close() }

// File opens a file that is no standard input, under the rules of [Open].
func File(path string) (*os.File, error) { return openWithin(path, writerWait) }

// Content returns the content of a file of at most limit bytes, under the rules of [Open].
func Content(path string, limit int64) ([]byte, error) {
	f, err := File(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = exit.Usage(fmt.Errorf("%s: is longer than %d bytes", path, limit), "")
	}
	return text, err
}

// IsFile reports whether what was typed is a file rather than a package. A pipe is one:
// <(perf script).
func IsFile(name string) bool {
	st, err := os.Stat(name)
	return name == "-" || err == nil && !st.IsDir()
}

// IsRecordFile reports whether what was typed is a file that may be a record: any but Go sources.
func IsRecordFile(name string) bool { return IsFile(name) && !strings.HasSuffix(name, ".go") }

func openWithin(path string, wait time.Duration) (*os.File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return openFile(path) // for its error, which people know
	}
	switch mode := st.Mode(); {
	case mode.IsDir():
		return nil, exit.Usage(fmt.Errorf("%s: is a directory", path), "name a file in it")
	case mode&fs.ModeSocket != 0:
		return nil, exit.Usage(fmt.Errorf("%s: is a socket", path), "name a file")
	case mode&fs.ModeDevice != 0 && !isStdin(st):
		return nil, exit.Usage(fmt.Errorf("%s: is a device, and has no end", path), "name a file")
	case mode&fs.ModeNamedPipe != 0:
		return openPipe(path, wait)
	}
	return openFile(path)
}

func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, exit.Usage(err, "")
	}
	return f, nil
}

// isStdin reports whether a file is this process's standard input, such as a terminal named /dev/stdin.
func isStdin(st os.FileInfo) bool {
	in, err := os.Stdin.Stat()
	return err == nil && os.SameFile(st, in)
}

// openPipe opens a named pipe. Opening one blocks until a process opens it for writing. openPipe fails after
// wait. The goroutine that is still blocked ends with the process.
func openPipe(path string, wait time.Duration) (*os.File, error) {
	type opened struct {
		f   *os.File
		err error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		done <- opened{f, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, exit.Usage(o.err, "")
		}
		return o.f, nil
	case <-time.After(wait):
		return nil, exit.Usage(fmt.Errorf("%s: is a pipe that no process writes to", path), "start the program that writes to it first")
	}
}

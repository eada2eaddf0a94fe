//go:build linux

package target

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Worker is a process that runs command lines one after the other. One goroutine uses it.
type Worker struct {
	config  Config
	program []string
	dir     string

	cmd      *exec.Cmd
	requests io.WriteCloser
	replies  chan Outcome // closed when the process has ended
	messages *os.File     // what the process itself prints: how it died
}

// request is what a worker reads, one a line.
type request struct{ Args []string }

// NewWorker returns a worker that runs program, which calls Serve. It starts when it is needed.
func (c Config) NewWorker(program ...string) (*Worker, error) {
	dir, err := c.Dir("worker")
	return &Worker{config: c, program: program, dir: dir}, err
}

// Dir is a directory for files of the worker.
func (w *Worker) Dir() string { return w.dir }

// Do runs one command line. A process that dies or takes too long is replaced by the next call.
func (w *Worker) Do(args []string) (Outcome, error) {
	if w.cmd == nil {
		if err := w.start(); err != nil {
			return Outcome{}, err
		}
	}
	line, err := json.Marshal(request{args})
	if err != nil {
		return Outcome{}, err
	}
	began := time.Now()
	if _, err := w.requests.Write(append(line, '\n')); err != nil && !errors.Is(err, syscall.EPIPE) {
		return Outcome{}, err
	}
	select {
	case o, ok := <-w.replies:
		if ok {
			return o, nil
		}
		return w.buried(Outcome{Code: -1, Took: time.Since(began)}), nil
	case <-time.After(MaxWait / 2):
		w.cmd.Process.Signal(syscall.SIGQUIT) // it prints where it is
		select {
		case <-w.replies:
		case <-time.After(2 * time.Second):
		}
		return w.buried(Outcome{Code: -1, Hung: true, Took: time.Since(began)}), nil
	}
}

// buried ends the process, and says how it died.
func (w *Worker) buried(o Outcome) Outcome {
	err := w.end()
	text, _ := os.ReadFile(w.messages.Name())
	w.messages.Close()
	o.Messages = string(text[:min(len(text), brief)])
	if o.Died = "exited"; err != nil {
		o.Died = err.Error()
	}
	return o
}

func (w *Worker) start() error {
	tmp := filepath.Join(w.dir, "tmp")
	if err := os.MkdirAll(tmp, 0o777); err != nil {
		return err
	}
	messages, err := os.Create(filepath.Join(w.dir, "messages"))
	if err != nil {
		return err
	}
	answers, answersEnd, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := exec.Command(w.program[0], w.program[1:]...)
	cmd.Env, cmd.Dir = Env(tmp), w.dir
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = messages, messages, []*os.File{answersEnd}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	requests, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	answersEnd.Close()
	w.cmd, w.requests, w.messages, w.replies = cmd, requests, messages, make(chan Outcome)
	go listen(answers, w.replies)
	return nil
}

// listen passes replies on until the process closes its end.
func listen(answers *os.File, to chan<- Outcome) {
	defer answers.Close()
	defer close(to)
	in := bufio.NewReader(answers)
	for {
		line, err := in.ReadString('\n')
		var o Outcome
		if err != nil || json.Unmarshal([]byte(strings.TrimSpace(line)), &o) != nil {
			return
		}
		to <- o
	}
}

// Close ends the process.
func (w *Worker) Close() {
	if w.cmd != nil {
		w.end()
		w.messages.Close()
	}
}

// end kills the process with its group, and returns how it had ended.
func (w *Worker) end() error {
	w.requests.Close()
	died := make(chan error, 1)
	cmd := w.cmd
	go func() { died <- cmd.Wait() }()
	var err error
	select {
	case err = <-died:
	case <-time.After(time.Second):
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		err = <-died
	}
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it had started
	go func(replies <-chan Outcome) {
		for range replies {
		}
	}(w.replies)
	w.cmd = nil
	return err
}

package gotarget

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/process/service"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// closing is how long the process may take to close the target before it is killed.
const closing = 5 * time.Second

// Target is a target whose process runs. It is a [load.Target] whose phases run there: by Run, not by load.Run. One
// goroutine uses it at a time.
type Target struct {
	program *Program
	cmd     *exec.Cmd
	pipe    *os.File // from which answers reads
	answers *json.Decoder
	output  *service.Tail
	opened  *opened
	ended   chan struct{} // closed when the process has ended
	err     error         // of the process, once ended is closed
	phases  bool          // a phase was run whose intervals count
	kept    bool          // of one of them an interval came, or the whole

	mu       sync.Mutex // of what follows
	requests io.WriteCloser
}

// Start starts the process and has it make the target. An error of Target is an error, with an exit code.
func (p *Program) Start(ctx context.Context, cfg map[string]string) (*Target, error) {
	if runtime.GOOS == "windows" { // os/exec passes no further files there
		return nil, exit.Failed(fmt.Errorf("%s: targets of Go packages are not available on Windows", p.pattern), "")
	}
	t := &Target{program: p, output: &service.Tail{}, ended: make(chan struct{})}
	if err := t.start(); err != nil {
		return nil, exit.Failed(fmt.Errorf("%s: its process cannot be started: %w", p.pattern, err), "")
	}
	stop := context.AfterFunc(ctx, func() { service.Kill(t.cmd) })
	defer stop()
	if err := t.open(cfg); err != nil {
		t.Close()
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	return t, nil
}

func (t *Target) start() error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer w.Close()
	t.cmd = exec.Command(t.program.Path)
	t.cmd.Stdout, t.cmd.Stderr, t.cmd.ExtraFiles = t.output, t.output, []*os.File{w}
	t.cmd.WaitDelay = time.Second // a process that it started may hold its output open
	service.OwnGroup(t.cmd)
	if t.requests, err = t.cmd.StdinPipe(); err == nil {
		err = t.cmd.Start()
	}
	if err != nil {
		r.Close()
		return err
	}
	t.pipe, t.answers = r, json.NewDecoder(r)
	go func() {
		t.err = t.cmd.Wait()
		close(t.ended)
		r.SetReadDeadline(time.Now().Add(time.Second)) // what it sent is read; a process that it started may hold the pipe open
	}()
	return nil
}

func (t *Target) open(cfg map[string]string) error {
	t.send(request{Open: &opening{cfg}})
	a, err := t.next()
	switch {
	case err != nil:
		return err
	case a.Opened == nil:
		return exit.Failed(fmt.Errorf("%s: %w", t.program.pattern, a.Done.error()), tareVersion)
	}
	t.opened = a.Opened
	if err := t.opened.Err.err(); err != nil {
		err = fmt.Errorf("%s: %w", t.program.pattern, err)
		if errors.As(err, new(*load.RefusedError)) {
			return err // which has a hint
		}
		return exit.Failed(err, "")
	}
	return nil
}

// tareVersion is what to do about different versions of tare.
const tareVersion = "go get github.com/tarebench/tare@latest in the module of the package, or install the tare of its version"

func (d *done) error() error {
	if d == nil || d.Err == nil {
		return errors.New("its process gave an answer that is not understood")
	}
	return d.Err.err()
}

// send sends a request. If the process has ended, next says so.
func (t *Target) send(r request) {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // numbers and strings
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests.Write(append(text, '\n'))
}

// next returns the next answer. If the process has ended, the error says how.
func (t *Target) next() (*answer, error) {
	var a answer
	if err := t.answers.Decode(&a); err != nil {
		service.Kill(t.cmd) // nothing that it says later is understood
		<-t.ended
		return nil, t.died()
	}
	return &a, nil
}

// died returns the error of a process that has ended by itself.
func (t *Target) died() error {
	how := "exit status 0"
	if t.err != nil {
		how = t.err.Error()
	}
	err := fmt.Errorf("%s: its process ended (%s)", t.program.pattern, how)
	return exit.Failed(fmt.Errorf("%w%s", err, crash(t.output)), t.lost())
}

// lost returns what the end of the process leaves of what was measured; "" if nothing was to be measured yet.
func (t *Target) lost() string {
	switch {
	case t.kept:
		return "what was measured until the last status interval counts; the operations after it are lost"
	case t.phases:
		return "it ended within the first status interval, whose operations are lost: a shorter --status-interval keeps more"
	}
	return ""
}

// crash returns how a Go program ended by what it printed, as the end of a sentence in one line: the panic, if there is one.
func crash(output *service.Tail) string {
	for line := range strings.Lines(output.String()) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return ": " + strings.TrimSpace(line)
		}
	}
	if last := output.Last(); last != "" {
		return "; the last that it printed: " + last
	}
	return ""
}

// Kinds returns the names of the target's operations.
func (t *Target) Kinds() []string { return t.opened.Kinds }

// Capabilities names the target in records.
func (t *Target) Capabilities() kv.Capabilities {
	return kv.Capabilities{Name: t.program.Pkg, Notes: []string{"the load generator is part of the target's process, built with " + t.opened.Go}}
}

// Worker fails: operations are sent in the process, by Run.
func (t *Target) Worker(context.Context, int) (load.Worker, error) {
	return nil, errors.New("gotarget: phases of a target with a process are run by Run")
}

// Output returns what the process printed, the first and the last of it if that is much.
func (t *Target) Output() string { return t.output.String() }

// Close has the process close the target, and ends it with all processes that it started. It returns the error of the
// target's Close; a process that had ended by itself has none.
func (t *Target) Close() error {
	defer t.pipe.Close()
	var err error
	limit := time.AfterFunc(closing, func() { service.Kill(t.cmd) })
	t.send(request{Close: true})
	for {
		var a answer
		if e := t.answers.Decode(&a); e != nil {
			break
		}
		if a.Done != nil {
			err = a.Done.Err.err()
		}
	}
	if !limit.Stop() {
		err = fmt.Errorf("not done after %s", closing)
	}
	service.Kill(t.cmd)
	<-t.ended
	return err
}

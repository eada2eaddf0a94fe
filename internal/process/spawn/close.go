//go:build linux || darwin

package spawn

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall"
	"time"
)

// close ends the launcher. At the end of its socket the launcher kills its children and exits.
func (r *launcherProgram) close() error {
	r.mu.Lock()
	r.closing = true
	r.mu.Unlock()
	r.sock.Close()
	<-r.gone
	if !errors.Is(r.err, ErrClosed) {
		return fmt.Errorf("spawn: %w", r.err)
	}
	return nil
}

// reap waits until the launcher has ended, and fails every pending Spawn and Wait. seen is the error by which
// its end was noticed.
func (r *launcherProgram) reap(seen error) {
	r.sock.Close()
	killTimer := time.AfterFunc(2*time.Second, func() { r.cmd.Process.Kill() })
	r.cmd.Wait()
	killTimer.Stop()

	r.mu.Lock()
	r.err = r.exitError(seen)
	running := r.children
	r.children = nil
	r.mu.Unlock()
	for _, p := range running {
		if p.pid == 0 {
			p.started <- fmt.Errorf("spawn: %s: %w", p.path, r.err)
			continue
		}
		// A launcher that was killed itself could not kill its children's groups; only the children died
		// (Pdeathsig). The group's number stays reserved until its last process is gone.
		syscall.Kill(-p.pid, syscall.SIGKILL)
		p.finish(Result{Pid: p.pid, ExitCode: -1, PeakBy: "not available: the launcher is gone"}, false, r.err)
	}
	close(r.gone)
}

func (r *launcherProgram) exitError(seen error) error {
	if r.closing {
		return ErrClosed
	}
	var more []string
	if state := r.cmd.ProcessState; state != nil {
		more = append(more, state.String())
	}
	if !errors.Is(seen, io.EOF) && !isDisconnected(seen) {
		more = append(more, seen.Error())
	}
	if text := r.stderr.String(); text != "" {
		more = append(more, text)
	}
	return fmt.Errorf("%w (pid %d: %s)", ErrGone, r.pid(), strings.Join(more, "; "))
}

// stderrText keeps the first 2 KiB that the launcher prints. It prints only when it crashes.
type stderrText struct {
	mu   sync.Mutex
	text []byte
}

func (t *stderrText) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const limit = 2 << 10
	t.text = append(t.text, p[:min(len(p), limit-len(t.text))]...)
	return len(p), nil
}

func (t *stderrText) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

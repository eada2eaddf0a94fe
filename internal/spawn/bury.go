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

// close ends the launcher: the end of its socket is its sign to kill what runs, and to go.
func (r *remote) close() error {
	r.mu.Lock()
	r.closing = true
	r.mu.Unlock()
	r.sock.Close()
	<-r.gone
	if !errors.Is(r.err, ErrClosed) {
		return fmt.Errorf("launch: %w", r.err)
	}
	return nil
}

// bury waits for the launcher's end, and tells everybody who waits for a child or for its start. Seen is how
// its end showed.
func (r *remote) bury(seen error) {
	r.sock.Close()
	stuck := time.AfterFunc(2*time.Second, func() { r.cmd.Process.Kill() })
	r.cmd.Wait()
	stuck.Stop()

	r.mu.Lock()
	r.err = r.epitaph(seen)
	orphans := r.children
	r.children = nil
	r.mu.Unlock()
	for _, p := range orphans {
		if p.pid == 0 {
			p.started <- fmt.Errorf("launch: %s: %w", p.path, r.err)
			continue
		}
		// The launcher kills its children's groups when its socket ends, but not when it is killed itself: then
		// only the children die (Pdeathsig). The group's number is theirs until the last of them is gone.
		syscall.Kill(-p.pid, syscall.SIGKILL)
		p.finish(Result{Pid: p.pid, ExitCode: -1, PeakBy: "not available: the launcher is gone"}, false, r.err)
	}
	close(r.gone)
}

func (r *remote) epitaph(seen error) error {
	if r.closing {
		return ErrClosed
	}
	var more []string
	if state := r.cmd.ProcessState; state != nil {
		more = append(more, state.String())
	}
	if !errors.Is(seen, io.EOF) && !broken(seen) {
		more = append(more, seen.Error())
	}
	if said := r.stderr.String(); said != "" {
		more = append(more, said)
	}
	return fmt.Errorf("%w (pid %d: %s)", ErrGone, r.pid(), strings.Join(more, "; "))
}

// tail keeps the beginning of what the launcher says, which is nothing unless it crashes.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const most = 2 << 10
	t.text = append(t.text, p[:min(len(p), most-len(t.text))]...)
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Config is how a server is started.
type Config struct {
	Words   []string      // the program and its arguments, in which {port} is replaced
	Dir     string        // where it runs; "" for here
	Address string        // host:port at which it listens; "": a free port of 127.0.0.1, for {port} and the variable PORT
	Health  string        // path that answers 2xx when the server is ready; "": it accepts connections
	Wait    time.Duration // for it to become ready; default 10s
	Grace   time.Duration // between the signal to stop and the one that kills; default 5s
}

// PortWord stands for the port in the words of a server, and in addresses of it.
const PortWord = "{port}"

// Server is a running server. Its methods may be called from several goroutines.
type Server struct {
	Address string // host:port
	Port    string

	words  []string
	cmd    *exec.Cmd
	grace  time.Duration
	output *Tail
	ended  chan struct{} // closed when the process has ended
	err    error         // of the process, once ended is closed

	mu       sync.Mutex
	stopping bool
}

// Ended returns a channel that is closed when the process has ended, by itself or stopped.
func (s *Server) Ended() <-chan struct{} { return s.ended }

// DiedError is the error of a server that ended by itself.
type DiedError struct {
	Command string
	How     string // "exit status 2"
	Output  string // what it printed last, a few lines
}

func (e *DiedError) Error() string {
	text := fmt.Sprintf("the server ended (%s): %s", e.How, e.Command)
	if e.Output != "" {
		text += ": " + e.Output
	}
	return text
}

// Start starts a server and returns when it is ready. It fails with a *[DiedError] if the
// server ends before, and with another error if it is not ready in time; what was started
// is stopped then.
func Start(ctx context.Context, c Config) (*Server, error) {
	if len(c.Words) == 0 {
		return nil, errors.New("the server has no command")
	}
	s := &Server{Address: c.Address, grace: c.Grace, output: &Tail{}, ended: make(chan struct{})}
	if s.grace <= 0 {
		s.grace = 5 * time.Second
	}
	if s.Address == "" {
		port, err := freePort()
		if err != nil {
			return nil, fmt.Errorf("a port for the server: %w", err)
		}
		s.Address = net.JoinHostPort("127.0.0.1", port)
	}
	var err error
	if _, s.Port, err = net.SplitHostPort(s.Address); err != nil {
		return nil, fmt.Errorf("the server's address %q is not host:port", s.Address)
	}
	if conn, err := net.DialTimeout("tcp", s.Address, 100*time.Millisecond); err == nil {
		conn.Close()
		return nil, fmt.Errorf("another server listens at %s: stop it, or have tare choose the port with %s", s.Address, PortWord)
	}
	for _, w := range c.Words {
		s.words = append(s.words, strings.ReplaceAll(w, PortWord, s.Port))
	}
	s.cmd = exec.Command(s.words[0], s.words[1:]...)
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = c.Dir, s.output, s.output
	s.cmd.Env = append(os.Environ(), "PORT="+s.Port)
	s.cmd.WaitDelay = time.Second // a process that it started may hold its output open
	OwnGroup(s.cmd)
	if err := s.cmd.Start(); err != nil {
		return nil, fmt.Errorf("the server cannot be started: %w", err)
	}
	go func() {
		s.err = s.cmd.Wait()
		close(s.ended)
	}()
	wait := c.Wait
	if wait <= 0 {
		wait = 10 * time.Second
	}
	if err := s.ready(ctx, c.Health, wait); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

// freePort returns a port of 127.0.0.1 on which no process listens.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), nil
}

// ready waits until the server is ready.
func (s *Server) ready(ctx context.Context, health string, wait time.Duration) error {
	limit := time.NewTimer(wait)
	defer limit.Stop()
	for {
		why := s.probe(ctx, health)
		if why == nil {
			return nil
		}
		select {
		case <-s.ended:
			return s.Died()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-limit.C:
			err := fmt.Errorf("the server is not ready after %s at %s (%w): %s", wait, s.Address, why, s.command())
			if text := s.output.Last(); text != "" {
				err = fmt.Errorf("%w: %s", err, text)
			}
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// probe asks once.
func (s *Server) probe(ctx context.Context, health string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if health == "" {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", s.Address)
		if err != nil {
			return errors.New("no connection")
		}
		return conn.Close()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Address+"/"+strings.TrimPrefix(health, "/"), nil)
	if err != nil {
		return err
	}
	transport := &http.Transport{DisableKeepAlives: true} // no http.Client: it would add to the command's size, and follow redirects
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return errors.New("no answer")
	}
	defer answer.Body.Close()
	io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20))
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("status %d of /%s", answer.StatusCode, strings.TrimPrefix(health, "/"))
	}
	return nil
}

// PID returns the number of the server's process.
func (s *Server) PID() int { return s.cmd.Process.Pid }

func (s *Server) command() string { return strings.Join(s.words, " ") }

// Died returns a *[DiedError] if the server has ended and was not stopped, or nil.
func (s *Server) Died() error {
	select {
	case <-s.ended:
	default:
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		return nil
	}
	how := "exit status 0"
	if s.err != nil {
		how = s.err.Error()
	}
	return &DiedError{Command: s.command(), How: how, Output: s.output.Last()}
}

// Output returns what the server printed, the first and the last of it if that is much.
func (s *Server) Output() string { return s.output.String() }

// Stop ends the server and all processes of its group, and returns when they have ended. It
// returns a *[DiedError] if the server had ended before.
func (s *Server) Stop() error {
	died := s.Died()
	s.mu.Lock()
	s.stopping = true
	s.mu.Unlock()
	terminate(s.cmd)
	select {
	case <-s.ended:
	case <-time.After(s.grace):
	}
	Kill(s.cmd) // what is left of the group
	<-s.ended
	return died
}

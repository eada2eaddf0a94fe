// Command tareprogram runs the load of a target for tare load, which made it.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

func main() {
	requests, answers := os.Stdin, os.NewFile(3, "answers")
	if _, err := answers.Stat(); err != nil {
		fmt.Fprintln(os.Stderr, "this program is run by tare load, which made it: give it the package")
		os.Exit(2)
	}
	os.Stdin, _ = os.Open(os.DevNull) // the target must not take the requests
	s := &server{out: answers}
	in := json.NewDecoder(requests)
	in.DisallowUnknownFields() // of a newer tare than the module's
	for {
		var r request
		if err := in.Decode(&r); err == io.EOF {
			os.Exit(0) // tare has ended, or was killed
		} else if err != nil {
			s.send(answer{Done: &done{Err: failureOf(fmt.Errorf("tare and the module of the package have different versions of github.com/tarebench/tare: %w", err))}})
			os.Exit(1)
		}
		s.serve(r)
	}
}

// server serves one target.
type server struct {
	target load.Target

	mu     sync.Mutex
	out    io.Writer
	cancel context.CancelFunc // ends the phase
}

func (s *server) serve(r request) {
	switch {
	case r.Open != nil:
		s.send(answer{Opened: s.open(r.Open.Cfg)})
	case r.Run != nil:
		ctx, cancel := context.WithCancel(context.Background())
		s.mu.Lock()
		s.cancel = cancel
		s.mu.Unlock()
		go func() {
			defer cancel()
			s.send(answer{Done: s.run(ctx, r.Run)})
		}()
	case r.Cancel:
		s.mu.Lock()
		if s.cancel != nil {
			s.cancel()
		}
		s.mu.Unlock()
	case r.Close:
		s.send(answer{Done: &done{Err: failureOf(s.close())}})
		os.Exit(0)
	}
}

// send writes an answer. tare that is gone needs none.
func (s *server) send(a answer) {
	text, err := json.Marshal(a)
	if err != nil {
		text, _ = json.Marshal(answer{Done: &done{Err: failureOf(err)}})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.out.Write(append(text, '\n')); err != nil {
		os.Exit(1)
	}
}

func (s *server) open(cfg map[string]string) *opened {
	o := &opened{Go: runtime.Version()}
	err := guard("Target", func() (err error) {
		if s.target, err = open(cfg); err == nil && s.target == nil {
			err = errors.New("it returned neither a target nor an error")
		}
		return err
	})
	if err == nil {
		err = guard("Kinds", func() error {
			if o.Kinds = s.target.Kinds(); len(o.Kinds) == 0 {
				return errors.New("there are none: name the operations of the target")
			}
			return nil
		})
	}
	o.Err = failureOf(err)
	return o
}

func (s *server) close() error {
	if s.target == nil {
		return nil
	}
	return guard("Close", s.target.Close)
}

// guard calls a function of the package, and returns its error or a panic with the function's name.
func guard(name string, f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	return f()
}

// run runs a phase and streams its lines.
func (s *server) run(ctx context.Context, p *phase) *done {
	t, c := s.target, p.Config.Config
	if p.Idle {
		t = idle{}
	}
	c.Status = func(i *load.Interval) {
		if !i.Final {
			s.send(answer{Interval: &interval{i.First}})
		}
	}
	total, err := load.Run(ctx, t, c, func(l record.Line) error {
		text, err := lineText(l)
		if err == nil {
			s.send(answer{Line: text})
		}
		return err
	})
	d := &done{Err: failureOf(err)}
	if pe := (*load.PanicError)(nil); errors.As(err, &pe) {
		os.Stderr.Write(pe.Stack) // kept with what the target prints
	}
	if total == nil {
		return d
	}
	d.First = total.First
	if d.Lines, err = totalLines(total); err != nil {
		d.Err = failureOf(err)
	}
	return d
}

// totalLines returns the lines of a whole phase.
func totalLines(i *load.Interval) (all []json.RawMessage, err error) {
	text, err := lineText(&i.Load)
	all = append(all, text)
	for _, l := range i.Latencies {
		if err != nil {
			break
		}
		h := &record.Hist{Name: l.Kind, Tag: l.Tag, Unit: "ns"}
		if h.Data, err = l.Hist.Encode(); err == nil {
			text, err = lineText(h)
			all = append(all, text)
		}
	}
	return all, err
}

// lineText returns a line as a record has it, without its newline.
func lineText(l record.Line) (json.RawMessage, error) {
	var b bytes.Buffer
	err := record.NewWriter(&b).Write(l)
	return bytes.TrimSpace(b.Bytes()), err
}

// idle is a target whose operations do nothing, for what the engine itself takes.
type idle struct{}

func (idle) Kinds() []string                                  { return []string{"NOOP"} }
func (idle) Worker(context.Context, int) (load.Worker, error) { return idle{}, nil }
func (idle) Prepare(uint64) int                               { return 0 }
func (idle) Do(context.Context, *load.Timer) error            { return nil }
func (idle) Done(err error) error                             { return err }
func (idle) Close() error                                     { return nil }

package reference

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// answerTimeout is how long one pass over the loops may take; it takes 20 ms on a machine that is not busy.
const answerTimeout = 10 * time.Second

// A Process is a running process with the loops. It is for one goroutine.
type Process struct {
	child    *spawn.Child
	requests *os.File
	answers  *os.File
	lines    *bufio.Reader
	CPU      time.Duration // that the loops have used so far
}

// Start starts the process as a child of the launcher, so that it runs with the priority of forks. The program is
// built first if the user's cache has none.
func Start(ctx context.Context, l *spawn.Launcher, cfg spawn.Config) (*Process, error) {
	bin, err := program(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("reference loops: %w", err)
	}
	requests, ours, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("reference loops: %w", err)
	}
	defer requests.Close()
	answers, out, err := os.Pipe()
	if err != nil {
		ours.Close()
		return nil, fmt.Errorf("reference loops: %w", err)
	}
	defer out.Close()
	child, err := l.Spawn(ctx, spawn.Spec{Path: bin, Env: []string{"GOGC=100"}, Stdout: out, Extra: []*os.File{requests}})
	if err != nil {
		ours.Close()
		answers.Close()
		return nil, fmt.Errorf("reference loops: %w", err)
	}
	return &Process{child: child, requests: ours, answers: answers, lines: bufio.NewReader(answers)}, nil
}

// Measure runs each loop once and returns what they took.
func (p *Process) Measure() ([]record.ReferenceLoop, error) {
	p.answers.SetReadDeadline(time.Now().Add(answerTimeout))
	if _, err := p.requests.Write([]byte{'\n'}); err != nil {
		return nil, fmt.Errorf("reference loops: %w", err)
	}
	text, err := p.lines.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("reference loops: %w", err)
	}
	var loops []record.ReferenceLoop
	if err := json.Unmarshal(text, &loops); err != nil {
		return nil, fmt.Errorf("reference loops: %w", err)
	}
	for _, l := range loops {
		if !(l.Min > 0 && l.Median >= l.Min) {
			return nil, errors.New("reference loops: " + l.Name + " took no time")
		}
		p.CPU += time.Duration(l.CPU)
	}
	return loops, nil
}

// Close ends the process.
func (p *Process) Close() {
	p.requests.Close()
	p.child.Kill()
	p.child.Wait()
	p.answers.Close()
}

package loopcost

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/tarebench/tare/internal/process/spawn"
	"github.com/tarebench/tare/record"
)

// timeout ends a program that hangs. It takes 50 ms on a machine that is not busy, and five times that with -race.
const timeout = 20 * time.Second

// Measure measures empty loops of every form, at values of GOMAXPROCS, as they are in the test binary at path. The first
// call for some build settings builds the program into the user's cache, which takes a second or two.
func Measure(ctx context.Context, l *spawn.Launcher, path string, procs []int) ([]record.EmptyLoop, error) {
	s, err := settingsOf(path)
	if err != nil {
		return nil, fmt.Errorf("empty loops: %w", err)
	}
	bin, err := program(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("empty loops: %w", err)
	}
	if info, err := buildinfo.ReadFile(bin); err != nil || info.GoVersion != s.version {
		return nil, fmt.Errorf("empty loops: %s cannot be built by %s", bin, s.version)
	}
	out, err := run(ctx, l, bin, procs)
	if err != nil {
		return nil, fmt.Errorf("empty loops: %w", err)
	}
	return decode(out)
}

// run returns what the program prints.
func run(ctx context.Context, l *spawn.Launcher, bin string, procs []int) ([]byte, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer read.Close()
	var args []string
	for _, p := range procs {
		args = append(args, strconv.Itoa(p))
	}
	child, err := l.Spawn(ctx, spawn.Spec{Path: bin, Args: args, Env: []string{"GOGC=100"}, Stdout: write, Timeout: timeout})
	write.Close()
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(read)
	if _, e := child.Wait(); err == nil {
		err = e
	}
	return out, err
}

// decode reads the program's output.
func decode(out []byte) ([]record.EmptyLoop, error) {
	var loops []record.EmptyLoop
	if err := json.Unmarshal(out, &loops); err != nil {
		return nil, fmt.Errorf("empty loops: %w", err)
	}
	for _, l := range loops {
		if !(l.Min > 0 && l.Max >= l.Min) || l.Procs < 1 {
			return nil, fmt.Errorf("empty loops: %s took no time", l.Form)
		}
	}
	return loops, nil
}

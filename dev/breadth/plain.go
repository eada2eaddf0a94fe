//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// try runs the benchmarks of a package under both.
func (o *options) try(ctx context.Context, p pkg) *result {
	r := &result{Module: p.path, Version: p.version, Package: p.importPath, Go: runtime.Version()}
	o.compile(ctx, p)
	r.Plain = o.plain(ctx, p, ".")
	r.Tare = o.listed(ctx, p)
	if r.Tare.State == completed && len(r.Tare.Names) <= o.most {
		o.measure(ctx, p, r)
	}
	r.compare(func(name string) bool {
		x := o.plain(ctx, p, alone(name))
		return x.State != completed || len(x.Names) == 0
	})
	return r
}

// compile has all that the package needs in go's build cache, so that the limit is that of running.
func (o *options) compile(ctx context.Context, p pkg) {
	patient := *o
	patient.limit = 10 * time.Minute
	binary := filepath.Join(o.work, "compiled.test")
	for _, paths := range []string{"-trimpath", "-trimpath=false"} { // as tare builds, and as go test does
		patient.run(ctx, p, "go", "test", "-c", "-vet=off", paths, "-buildvcs=false", "-o", binary, p.importPath)
	}
	os.Remove(binary)
}

// alone is the value of -bench that selects one benchmark.
func alone(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// plain runs benchmarks of a package for one operation under go test.
func (o *options) plain(ctx context.Context, p pkg, bench string) outcome {
	out := o.run(ctx, p, "go", "test", "-vet=off", "-json", "-run=^$", "-bench="+bench, "-benchtime=1x", p.importPath)
	x := readEvents(bytes.NewReader(out.stdout))
	x.Seconds = out.seconds
	switch {
	case out.timedOut:
		x.State, x.Why = overLimit, "go test did not end within "+o.limit.String()
	case x.State == unbuilt:
		x.Why = firstLine(string(out.stderr) + x.Why)
	case out.err != nil && x.State == completed:
		x.State = failed
	}
	return x
}

// event is one of go test -json.
type event struct{ Action, Test, Output string }

// resultLine is a benchmark's result behind its name: operations, and at least one figure with its unit.
var resultLine = regexp.MustCompile(`\t\s*\d+\t\s*[-+.\deEInfNa]+ \S+`)

// readEvents reads what go test -json prints for benchmarks.
func readEvents(r io.Reader) outcome {
	x := outcome{State: completed, Failed: map[string]string{}}
	texts := map[string]*strings.Builder{}
	var order []string
	var rest strings.Builder
	in := bufio.NewReader(r)
	for {
		line, err := in.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) == nil {
			name, isBenchmark := strings.CutPrefix(e.Test, "Benchmark")
			switch {
			case e.Action == "build-fail":
				x.State = unbuilt
			case e.Action == "fail" && e.Test == "":
				x.fail()
			case e.Action == "fail" && isBenchmark:
				x.Failed[name] = "failed"
			case e.Action == "build-output", e.Action == "output" && !isBenchmark:
				rest.WriteString(e.Output)
			case e.Action == "output":
				if texts[name] == nil {
					texts[name] = &strings.Builder{}
					order = append(order, name)
				}
				texts[name].WriteString(e.Output)
			}
		}
		if err != nil {
			break
		}
	}
	for _, name := range order {
		if resultLine.MatchString(texts[name].String()) {
			x.Names = append(x.Names, name)
		}
	}
	if strings.Contains(rest.String(), "[setup failed]") || strings.Contains(rest.String(), "[build failed]") {
		x.State = unbuilt
	}
	if x.State != completed {
		x.Why = firstLine(rest.String())
	}
	return x
}

// firstLine returns the first line that says something, shortened.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "goos:") && !strings.HasPrefix(line, "goarch:") &&
			!strings.HasPrefix(line, "pkg:") && !strings.HasPrefix(line, "cpu:") {
			return line[:min(len(line), 200)]
		}
	}
	return ""
}

// ended is a process that has ended.
type ended struct {
	stdout, stderr []byte
	err            error
	timedOut       bool
	seconds        float64
}

// run runs a command in the directory of the package's module, and ends it and what it has started after the limit.
func (o *options) run(ctx context.Context, p pkg, name string, args ...string) ended {
	limited, cancel := context.WithTimeout(ctx, o.limit)
	defer cancel()
	cmd := exec.CommandContext(limited, name, args...)
	cmd.Dir, cmd.Env = p.dir, p.environ(o.work)
	if p.path == std {
		cmd.Dir = outside
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = 10 * time.Second
	start := time.Now()
	err := cmd.Run()
	if limited.Err() != nil && cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	return ended{stdout.Bytes(), stderr.Bytes(), err, limited.Err() != nil && err != nil, time.Since(start).Seconds()}
}

// fail notes that a run did not exit with 0, unless more is known.
func (x *outcome) fail() {
	if x.State == completed {
		x.State = failed
	}
}

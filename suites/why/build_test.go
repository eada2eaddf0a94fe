package why

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// modulePath is the path of the module in base.
const modulePath = "example.org/seeded"

// A side is a tree that a test wrote, and how it is built and run.
type side struct {
	seed    *Seed
	dir     string
	changed bool
	build   Build
}

// write writes a side of the seed.
func write(t *testing.T, s *Seed, changed bool) *side {
	t.Helper()
	out := &side{seed: s, dir: t.TempDir(), changed: changed, build: s.Base}
	if changed {
		out.build = s.Changed
	}
	if err := s.Write("base", out.dir, changed); err != nil {
		t.Fatal(err)
	}
	return out
}

// command runs a command in the side's tree and returns what it prints. It fails the test if the command fails.
func (s *side) command(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Env = append(append(os.Environ(), "GOFLAGS=", "GOWORK=off", "GOPROXY=off", "CGO_ENABLED=0"), s.build.Env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out.String())
	}
	return out.String()
}

// binaries are those of sides before the change, by what they are built from: many seeds have one in common.
type binaries struct {
	dir  string
	mu   sync.Mutex
	made map[string]string
}

// base returns the test binary of a side before the change.
func (b *binaries) base(t *testing.T, s *side) string {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	key := fmt.Sprintf("%s %q", s.seed.Package, s.build)
	if b.made[key] == "" {
		path := filepath.Join(b.dir, strconv.Itoa(len(b.made))+".test")
		if err := os.Rename(s.compile(t), path); err != nil {
			t.Fatal(err)
		}
		b.made[key] = path
	}
	return b.made[key]
}

// compile returns a test binary of the side's package.
func (s *side) compile(t *testing.T, flags ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), s.seed.Package+".test")
	args := append([]string{"test", "-c", "-trimpath", "-ldflags=-w", "-o", binary}, s.build.Flags...) // links faster without debug information
	s.command(t, "go", append(append(args, flags...), "./"+s.seed.Package)...)
	return binary
}

// notes returns what the compiler prints with the flags. The go command repeats it from its cache.
func (s *side) notes(t *testing.T, flags string) string {
	t.Helper()
	return s.command(t, "go", "build", "-trimpath", "-gcflags="+flags, "./"+s.seed.Package)
}

// run runs the benchmark n times, and nothing else, and returns what the test binary prints.
func (s *side) run(t *testing.T, binary string, n int, flags ...string) string {
	t.Helper()
	return s.command(t, binary, s.arguments(n, flags...)...)
}

func (s *side) arguments(n int, flags ...string) []string {
	return append([]string{"-test.run=^$", "-test.bench=^" + s.seed.Benchmark + "$", "-test.benchtime=" + strconv.Itoa(n) + "x",
		"-test.benchmem"}, flags...)
}

// figure returns the number before a unit in what a benchmark printed.
func figure(t *testing.T, out, unit string) float64 {
	t.Helper()
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		for i, f := range fields {
			if f == unit && i > 0 {
				v, err := strconv.ParseFloat(fields[i-1], 64)
				if err != nil {
					t.Fatal(err)
				}
				return v
			}
		}
	}
	t.Fatalf("no %s in %s", unit, out)
	return 0
}

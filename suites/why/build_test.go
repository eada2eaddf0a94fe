package why

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
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

// pair is the two sides of a seed.
type pair struct{ base, changed *side }

func write(t *testing.T, s *Seed) pair {
	t.Helper()
	var p pair
	for _, x := range []struct {
		to      **side
		changed bool
		build   Build
	}{{&p.base, false, s.Base}, {&p.changed, true, s.Changed}} {
		dir := filepath.Join(t.TempDir(), "tree") // the same name on both sides
		if err := s.Write("base", dir, x.changed); err != nil {
			t.Fatal(err)
		}
		*x.to = &side{seed: s, dir: dir, changed: x.changed, build: x.build}
	}
	return p
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

// compile returns a test binary of the side's package.
func (s *side) compile(t *testing.T, flags ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), s.seed.Package+".test")
	args := append([]string{"test", "-c", "-trimpath", "-o", binary}, s.build.Flags...)
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

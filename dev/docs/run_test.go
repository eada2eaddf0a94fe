package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tarebench/tare/dev/document"
	"github.com/tarebench/tare/full/command"
	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/internal/testkit/testutil"
)

// TestMain lets the test binary be the commands: documents call them as tare and tare-full. Both are the latter here, to which
// tare hands over.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"tare":      func() { os.Exit(cli.Main(command.Config(), brief(os.Args[1:]), os.Stdin, os.Stdout, os.Stderr)) },
		"tare-full": func() { os.Exit(cli.Main(command.Config(), brief(os.Args[1:]), os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// briefly is how little of each verb still shows what its output is like.
var briefly = map[string][]string{
	"bench":    {"--no-repeat", "--forks=3", "--warmup=0", "--iterations=1", "--time=1ms", "--prof-forks=1"},
	"asm":      {"--forks=1", "--time=50ms"},
	"trace":    {"--forks=1", "--time=1ms"},
	"sample":   {"--forks=1", "--time=50ms"},
	"contrast": {"--forks=1", "--time=1ms"},
	"time":     {"--runs=2"},
	"load":     {"--duration=300ms", "--warmup-duration=0s"},
	"doctor":   {"--duration=50ms"},
}

// brief returns the arguments of tare with those that make it brief. They come last, so that they
// win, but before what is behind "--". Flags that a verb does not have are left out, and those of
// benchmarks and of profilers where there are none.
func brief(args []string) []string {
	cmd, _, err := tare().Find(args)
	if err != nil {
		return args
	}
	verb := strings.TrimPrefix(cmd.CommandPath(), "tare ")
	if slices.Contains([]string{"asm", "trace", "sample", "contrast"}, verb) && !slices.Contains(args, "--bench") {
		return args
	}
	end := slices.Index(args, "--")
	if end < 0 {
		end = len(args)
	}
	for _, f := range briefly[verb] {
		name, _, _ := strings.Cut(strings.TrimPrefix(f, "--"), "=")
		if cmd.Flags().Lookup(name) != nil && (name != "prof-forks" || slices.Contains(args, "--prof")) {
			args = slices.Insert(slices.Clone(args), end, f)
			end++
		}
	}
	return args
}

// TestCommands runs the commands of README.md and docs: none may fail, and each block's checks must
// match what it shows and what its commands print now.
func TestCommands(t *testing.T) {
	cache := t.TempDir()
	for path, text := range documents(t) {
		if isRun(path) {
			t.Run(path, func(t *testing.T) { runDocument(t, path, text, cache) })
		}
	}
}

// isRun reports whether the commands of a document are run.
func isRun(path string) bool { return path == "README.md" || strings.HasPrefix(path, "docs/") }

func runDocument(t *testing.T, path, text, cache string) {
	var p *place
	for _, b := range document.Blocks(text) {
		steps := b.Steps()
		if steps == nil && b.Lang == "sh" {
			steps = b.Lines()
		}
		checks := checksOf(t, path, &b, steps)
		if len(steps) == 0 || skipped(&b) {
			continue
		}
		if p == nil {
			p = testPlace(t, cache)
		}
		sh, err := p.shell(path, &b)
		if err != nil {
			t.Fatalf("%s:%d: %v", path, b.Line, err)
		}
		var printed strings.Builder
		for _, s := range steps {
			out, err := sh.run(inShort(s.Command))
			if err != nil {
				t.Fatalf("%s:%d: %s: %v\n%s\n%s", path, s.Line, s.Command, err, out, p.stderr)
			}
			printed.WriteString(out)
		}
		for _, c := range checks {
			if !c.MatchString(printed.String()) {
				t.Errorf("%s:%d: %s is not in what the commands print:\n%s", path, b.Line, c, &printed)
			}
		}
	}
}

// checksOf returns the checks of a block. They must match what it shows, and a block that shows
// what is run must have one.
func checksOf(t *testing.T, path string, b *document.Block, steps []document.Step) (checks []*regexp.Regexp) {
	var shown strings.Builder
	for _, s := range steps {
		shown.WriteString(s.Output)
		if out, err := b.Shown(s.Output); err != nil || b.Lang == "" && out != s.Output {
			t.Errorf("%s:%d: the block does not show what its note on lines says: %v", path, s.Line, err)
		}
	}
	for _, expr := range b.Values("check") {
		c, err := regexp.Compile("(?m)" + expr)
		if err != nil {
			t.Errorf("%s:%d: %v", path, b.Line, err)
			continue
		}
		if !c.MatchString(shown.String()) {
			t.Errorf("%s:%d: %s is not in the output that the block shows", path, b.Line, c)
		}
		checks = append(checks, c)
	}
	if _, parsed := b.Note("parsed"); shown.Len() > 0 && len(checks) == 0 && !parsed {
		t.Errorf("%s:%d: the block shows an output, and no check says what of it must stay", path, b.Line)
	}
	return checks
}

// skipped reports whether the commands of a block are not run here.
func skipped(b *document.Block) bool {
	if _, parsed := b.Note("parsed"); parsed {
		return true
	}
	if _, long := b.Note("long"); long && !testutil.Soak() {
		return true
	}
	for _, program := range b.Values("needs") {
		if _, err := exec.LookPath(program); err != nil {
			return true
		}
	}
	return false
}

// inShort returns a command that calls the test binary where the document builds the command.
func inShort(command string) string {
	return strings.ReplaceAll(command, "go run -trimpath ./cmd/tare ", "tare ")
}

// testPlace returns a place whose commands find the machine's Go with its caches, and nothing else
// of the machine: no home, no settings, no other tare that measures. What tare keeps in its cache
// they share.
func testPlace(t *testing.T, cache string) *place {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	repository, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	telemetry := filepath.Join(home, ".config", "go", "telemetry")
	if err := os.MkdirAll(telemetry, 0o777); err != nil {
		t.Fatal(err)
	}
	// Otherwise the go command starts a process of its own there, which may still write while the directory is removed.
	if err := os.WriteFile(filepath.Join(telemetry, "mode"), []byte("off"), 0o666); err != nil {
		t.Fatal(err)
	}
	environ := append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+filepath.Join(home, ".config"), "TMPDIR="+t.TempDir(), "XDG_STATE_HOME="+home, "XDG_CACHE_HOME="+cache, "GORACE=atexit_sleep_ms=10")
	environ = append(environ, goSettings(t)...)
	p, err := newPlace(t.TempDir(), repository, append(environ, "GOBIN="+home), &strings.Builder{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// goSettings are those of Go's settings that say where it finds things.
func goSettings(t *testing.T) (environ []string) {
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOFLAGS", "GOPROXY", "GONOSUMDB", "GOSUMDB", "GOTOOLCHAIN", "GOROOT"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		environ = append(environ, names[i]+"="+value)
	}
	return environ
}

func TestBrief(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"bench --forks 20 sort -- -elems 5", "bench --forks 20 sort --no-repeat --forks=3 --warmup=0 --iterations=1 --time=1ms -- -elems 5"},
		{"bench --prof mem", "bench --prof mem --no-repeat --forks=3 --warmup=0 --iterations=1 --time=1ms --prof-forks=1"},
		{"time -- ./x --runs", "time --runs=2 -- ./x --runs"},
		{"load --workload a", "load --workload a --duration=300ms --warmup-duration=0s"},
		{"asm -- ./x", "asm -- ./x"},
		{"none of them", "none of them"},
	} {
		if got := strings.Join(brief(strings.Fields(c.args)), " "); got != c.want {
			t.Errorf("%s is %s, want %s", c.args, got, c.want)
		}
	}
}

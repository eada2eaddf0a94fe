package cli_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/internal/profile/counter"
	"github.com/tarebench/tare/internal/profile/instructions"
	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/bolt"
	"github.com/tarebench/tare/load/kv/mem"
	"github.com/tarebench/tare/load/kv/mock"
	"github.com/tarebench/tare/load/kv/redis"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

// TestMain lets the test binary be the command: scripts call it as tare.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "tare" {
		os.Unsetenv("GITHUB_ACTIONS") // tests compare what is printed outside of a job, also if they run in one
		os.Unsetenv("CI")
		debug.SetGCPercent(400) // hundreds of records are read and shown: a quarter of the time went into collecting them
	}
	testscript.Main(m, map[string]func(){
		"tare": func() {
			os.Exit(cli.Main(cli.Config{Bindings: bindings()}, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
		"testserver": serverProgram,
	})
}

// bindings are some of those of cmd/tare: what scripts load, and one that needs a server.
func bindings() []kv.Binding {
	return []kv.Binding{bolt.Binding(), mem.Binding(), mock.Binding(), redis.Binding(), http.Binding()}
}

// briefScripts names the scripts that run without TARE_LONG=1: one or two of each verb, and those of wrong usage,
// squatted names, failing benchmarks and interruption.
var briefScripts = []string{
	"asm", "ci", "ci_stranger", "compare", "contrast", "fail", "flags", "help", "hist", "hist_wrong", "hostile", "interrupt", "layout",
	"load", "load_wrong", "lock_links", "lost", "lost_all", "report", "report_page", "sample", "saved", "secret", "selftest", "sides", "time", "trace", "verbs",
	"wrong_place",
}

// scriptFiles returns the paths of the scripts to run: of all with TARE_LONG=1, otherwise of briefScripts.
func scriptFiles(t *testing.T) []string {
	all, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(all) == 0 {
		t.Fatal("no scripts", err)
	}
	if testutil.Long() {
		return all
	}
	files := slices.DeleteFunc(all, func(f string) bool {
		return !slices.Contains(briefScripts, strings.TrimSuffix(filepath.Base(f), ".txtar"))
	})
	if len(files) != len(briefScripts) {
		t.Fatalf("%d of %d scripts are there", len(files), len(briefScripts))
	}
	return files
}

// TestScripts runs testdata/script/*.txtar; `go doc
// github.com/rogpeppe/go-internal/testscript` describes their language, and
// scriptCommands what is added to it here.
//
// Scripts find the machine's own Go with its caches, and nothing else of the
// machine: no home, no settings, no other tare that measures. What tare keeps in
// its cache they share, so that the launcher is built once.
func TestScripts(t *testing.T) {
	catchIgnored(t)
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell here")
	}
	cache := t.TempDir()
	goEnv := goSettings(t)
	repository, err := filepath.Abs(filepath.FromSlash("../.."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files:              scriptFiles(t),
		Cmds:               scriptCommands(),
		Condition:          scriptCondition,
		RequireUniqueNames: true,
		UpdateScripts:      *update,
		Setup: func(e *testscript.Env) error {
			e.Values[signalled{}] = &signalled{}
			home := filepath.Join(e.WorkDir, ".home")
			for k, v := range goEnv {
				e.Setenv(k, v)
			}
			e.Setenv("HOME", home)
			e.Setenv("TARE", repository)
			e.Setenv("XDG_CACHE_HOME", cache)
			e.Setenv("LC_ALL", "C.UTF-8")
			e.Setenv("GOTRACEBACK", "single")        // as everybody has it
			e.Setenv("GORACE", "atexit_sleep_ms=10") // a second, otherwise
			return os.MkdirAll(home, 0o777)
		},
	})
}

// catchIgnored has the scripts' processes end by signals that this process ignores,
// because it was started by nohup or in a shell's background: processes inherit
// what is ignored, and not what is caught.
func catchIgnored(t *testing.T) {
	caught := make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if signal.Ignored(s) {
			signal.Notify(caught, s)
		}
	}
	t.Cleanup(func() { signal.Stop(caught) }) // scripts run when the test's function has returned
}

// scriptCondition knows [root], to whom permissions mean nothing; [perf]: perf events are
// served; [instructions]: valgrind counts those of Go's programs; and [long]: TARE_LONG=1 is set, as in .ci/soak.
// Without it a script stops after the main behaviour of its verb, before the variants.
func scriptCondition(cond string) (bool, error) {
	switch cond {
	case "root":
		return os.Getuid() == 0, nil
	case "perf":
		return counter.Profiler().Available() == nil, nil
	case "instructions":
		return instructions.Profiler().Available() == nil, nil
	case "long":
		return testutil.Long(), nil
	}
	return false, fmt.Errorf("unknown condition %s", cond)
}

// goSettings are those of Go's settings that say where it finds things.
func goSettings(t *testing.T) map[string]string {
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GONOSUMDB", "GOSUMDB", "GOTOOLCHAIN", "GOROOT"}
	out, err := exec.Command("go", append([]string{"env", "-json"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	settings := map[string]string{}
	if err := json.Unmarshal(out, &settings); err != nil {
		t.Fatal(err)
	}
	settings["GOFLAGS"] = testutil.GoFlags()
	return settings
}

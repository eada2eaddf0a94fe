//go:build linux || darwin

package agentrun_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// TestFullDisk: a disk that is full under the record, the store of the server, or what an agent keeps, is one clear line. What
// an agent cannot keep is delivered nevertheless.
func TestFullDisk(t *testing.T) {
	for name, c := range map[string]struct {
		record, server, agent string // limits
		code                  int
		says                  string // the controller, or the agent if that is limited
	}{
		"record": {"4000", "", "", 1, "file too large"},
		"server": {"", "30000", "", 1, "it delivered nothing for 20s"},
		"agent":  {"", "", "2000", 0, "results cannot be kept: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.server != "" && !testutil.Long() {
				t.Skip("takes 25 s")
			}
			dir, address := t.TempDir(), freeAddress(t)
			write(t, filepath.Join(dir, "token"), testToken)
			if s := startWith(t, dir, limit(c.server), "nats-server", address, testToken, filepath.Join(dir, "store")); !s.says("ready", 20*time.Second) {
				t.Fatalf("the server does not start: %s", s.out)
			}
			connect := []string{"nats://" + address, "--agents-token", "@token"}
			controller := startWith(t, dir, limit(c.record), "tare-full", append(strings.Fields("load --db mock --workload c --no-load --rate 500/s --duration 3s --status-interval 100ms --warmup-duration 0s --progress plain -o run.jsonl --agents a --allow-skew --nats"), connect...)...)
			agent := startWith(t, dir, limit(c.agent), "tare-full", "agent", "--join", "nats://"+address, "--token", "@token", "--name", "a", "--keep", "keep")
			if code := controller.code(60 * time.Second); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			p := controller
			if c.agent != "" {
				p = agent
			}
			if n := strings.Count(p.out.String(), c.says); n < 1 || n > 4 {
				t.Errorf("%q is said %d times: %s", c.says, n, p.out)
			}
			if c.server != "" && !strings.Contains(agent.out.String(), "results cannot be delivered, and are tried again: ") {
				t.Errorf("the agent says nothing: %s", agent.out)
			}
			if c.record == "" {
				checkEnd(t, filepath.Join(dir, "run.jsonl"), c.code)
			}
			if t.Failed() {
				t.Logf("controller: %s\nagent: %s", controller.out, agent.out)
			}
		})
	}
}

func limit(text string) []string {
	if text == "" {
		return nil
	}
	return []string{limitVariable + "=" + text}
}

// checkEnd checks that a record says how its run ended.
func checkEnd(t *testing.T, path string, code int) {
	file, err := os.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	defer file.Close()
	state := ""
	for l, err := range record.NewReader(file, path).All() {
		if err != nil {
			t.Error(err)
		}
		if end, ok := l.(*record.End); ok {
			state = end.State
		}
	}
	if want := map[int]string{0: record.EndCompleted, 1: record.EndPartial}[code]; state != want {
		t.Errorf("the record ends as %q, want %q", state, want)
	}
}

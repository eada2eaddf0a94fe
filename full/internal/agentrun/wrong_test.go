//go:build linux || darwin

package agentrun_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWrong: each mistake is one clear line, with the right exit code.
func TestWrong(t *testing.T) {
	const mock = "load --db mock --workload c --no-load --rate 100/s --duration 300ms --warmup-duration 0s --progress plain --agents-timeout 8s --allow-skew "
	for name, c := range map[string]struct {
		controller string // $A is the address that it listens on
		agent      string // after --join and --token, unless it begins with agent
		code       int    // of the agent, if controller is ""; else of the controller
		want       string
	}{
		"no token off loopback": {mock + "--agents 1 --agents-listen 0.0.0.0:0", "", 2, "0.0.0.0:0 can be reached from other machines: that needs a token and TLS"},
		"no TLS off loopback":   {mock + "--agents 1 --agents-listen 0.0.0.0:0 --agents-token @token", "", 2, "that needs a token and TLS"},
		"address in use":        {mock + "--agents 1 --agents-listen $USED", "", 1, "address already in use"},
		"no address":            {mock + "--agents 1 --agents-listen here", "", 2, `"here" is no address to listen on`},
		"agents":                {mock + "--agents 0", "", 2, "--agents: 0 agents: want 1 to 4096"},
		"names twice":           {mock + "--agents a,a", "", 2, "agent a is named twice"},
		"weight":                {mock + "--agents a=0,b", "", 2, `"a=0": the weight of an agent is a number from 1 to 65536`},
		"too many local agents": {mock + "--agents local:65", "", 2, "at most 64 on one machine"},
		"policy":                {mock + "--agents 1 --on-loss retry", "", 2, `--on-loss "retry" is none of continue, stop, redistribute`},
		"token file":            {mock + "--agents 1 --agents-token @missing", "", 2, "--agents-token: "},
		"flag alone":            {mock + "--on-loss stop", "", 2, "--on-loss needs --agents"},
		"group":                 {mock + "--agents 1 --agents-group a.b", "", 2, `--agents-group: "a.b" is no name`},
		"no agent joins":        {strings.Replace(mock, "8s", "300ms", 1) + "--agents 2 --agents-token @token", "", 1, "waiting for agents: 0 of 2 joined"},
		"no agent of that name": {strings.Replace(mock, "8s", "300ms", 1) + "--agents a,b --agents-token @token", "", 1, "waiting for agents: a, b did not join"},
		"resume of no record":   {"load --agents 1 --resume token", "", 2, "--resume token: it is no record of a run by agents"},
		"resume of nothing":     {"load --agents 1 --resume missing.jsonl", "", 2, "--resume: "},

		"join":            {"", "agent --join garbage:", 2, "garbage:4222 is another machine: that needs TLS"},
		"scheme":          {"", "agent --join http://127.0.0.1:1", 2, "begins with http://"},
		"path":            {"", "agent --join nats://127.0.0.1:1/x", 2, "has more than host and port"},
		"no join":         {"", "agent", 2, "--join is missing"},
		"off loopback":    {"", "agent --join nats://192.0.2.1:4222", 2, "192.0.2.1:4222 is another machine: that needs TLS"},
		"name":            {"", "agent --join nats://127.0.0.1:1 --name a,b", 2, `"a,b" is no name of an agent`},
		"rate":            {"", "agent --join nats://127.0.0.1:1 --max-rate fast", 2, "--max-rate: "},
		"host":            {"", "agent --join nats://127.0.0.1:1 --allow-host http://x/", 2, "--allow-host "},
		"keep":            {"", "agent --join nats://127.0.0.1:1 --keep token", 1, "--keep: "},
		"certificate":     {"", "agent --join tls://127.0.0.1:1 --cert token", 2, "--cert and --key belong together"},
		"wrong authority": {"", "agent --join tls://127.0.0.1:1 --ca token", 2, "token has no certificate in PEM"},

		"consent of the agent": {"load --db http://192.0.2.1/{k} --allow-host 192.0.2.1 --rate 100/s --duration 300ms --warmup-duration 0s --progress plain --agents 1 --allow-skew --agents-token @token --agents-listen $A", "--name a", 1,
			"agent a: http: 192.0.2.1:80 is not on this machine, and the agent's own --allow-host does not allow it"},
		"consent of the run": {"load --db http://192.0.2.1/{k} --rate 100/s --duration 300ms --warmup-duration 0s --progress plain --agents 1 --agents-token @token --agents-listen $A", "--name a --allow-host 192.0.2.1", 2,
			"agent a: http: 192.0.2.1:80 is not on this machine, and was not allowed (the run: constant 100/s for 300ms)"},
		"files": {"load --db http://127.0.0.1:1/{k} -p http.ca=token --rate 100/s --duration 300ms --warmup-duration 0s --progress plain --agents 1 --agents-token @token --agents-listen $A", "--name a", 1,
			"agent a: http.ca names the file token"},
		"rate of an agent":     {mock + "--agents 1 --agents-token @token --agents-listen $A", "--name a --max-rate 50/s", 1, "agent a: its share would be 100/s, its own limit is 50/s"},
		"duration of an agent": {mock + "--agents 1 --agents-token @token --agents-listen $A", "--name a --max-duration 200ms", 1, "agent a: a phase would last 300ms, its own limit is 200ms"},
		"closed loop":          {strings.Replace(mock, "--rate 100/s ", "", 1) + "--agents 1 --agents-token @token --agents-listen $A", "--name a --max-rate 50/s", 1, "agent a: its own limit is 50/s, and a closed loop has none: give a --rate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, address := t.TempDir(), freeAddress(t)
			write(t, filepath.Join(dir, "token"), testToken)
			p := tryWrong(t, dir, strings.NewReplacer("$A", address, "$USED", strings.TrimPrefix(newProxy(t, address).url(), "nats://")).Replace(c.controller), c.agent, address)
			if code := p.code(60 * time.Second); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			var lines []string
			for _, line := range strings.Split(p.out.String(), "\n") {
				if strings.HasPrefix(line, "tare: error: ") {
					lines = append(lines, line)
				}
			}
			if len(lines) != 1 || !strings.Contains(lines[0], c.want) {
				t.Errorf("it says %q, want %q:\n%s", lines, c.want, p.out)
			}
		})
	}
}

// tryWrong starts a controller and an agent, or one of them, and returns the one that is to fail.
func tryWrong(t *testing.T, dir, controller, agent, address string) *process {
	if controller == "" {
		return start(t, dir, "tare-full", strings.Fields(agent)...)
	}
	p := start(t, dir, "tare-full", strings.Fields(controller)...)
	if agent != "" {
		if !p.says("waiting for agents", 20*time.Second) {
			return p
		}
		start(t, dir, "tare-full", append([]string{"agent", "--join", "nats://" + address, "--token", "@token"}, strings.Fields(agent)...)...)
	}
	return p
}

// TestRefused: agents that a controller does not take end, with one clear line.
func TestRefused(t *testing.T) {
	dir, address := t.TempDir(), freeAddress(t)
	write(t, filepath.Join(dir, "token"), testToken)
	write(t, filepath.Join(dir, "other"), "another token")
	listen := []string{"--agents-listen", address, "--agents-token", "@token"}
	controller := start(t, dir, "tare-full", append(strings.Fields("load --db mock --workload c --no-load --rate 100/s --duration 1s --warmup-duration 0s --progress plain --agents a,b --allow-skew"), listen...)...)
	if !controller.says("waiting for agents", 20*time.Second) {
		t.Fatalf("the controller is not ready: %s", controller.out)
	}
	join := func(args ...string) *process {
		return start(t, dir, "tare-full", append([]string{"agent", "--join", "nats://" + address}, args...)...)
	}
	join("--token", "@token", "--name", "a")
	if !controller.says("agent a joined", 20*time.Second) {
		t.Fatal("agent a does not join")
	}
	for want, p := range map[string]*process{
		"it refuses the token or the credentials":                                  join("--token", "@other", "--name", "b"),
		"the controller refused this agent: another agent is named a":              join("--token", "@token", "--name", "a"),
		"it refuses the token or the credentials (no token)":                       join("--name", "b"),
		"give the certificate of the authority|it is no NATS server|it has no TLS": start(t, dir, "tare-full", "agent", "--join", "tls://"+address, "--token", "@token", "--name", "b"),
	} {
		code, found := p.code(30*time.Second), false
		want, _, _ = strings.Cut(want, " (")
		for _, text := range strings.Split(want, "|") {
			found = found || strings.Contains(p.out.String(), text)
		}
		if code != 1 || !found {
			t.Errorf("exit code %d, want 1 and %q: %s", code, want, p.out)
		}
	}
	join("--token", "@token", "--name", "b")
	if code := controller.code(60 * time.Second); code != 0 {
		t.Errorf("the run fails: exit code %d: %s", code, controller.out)
	}
}

// TestTwoControllers: the second controller of a group does not touch the agents of the first.
func TestTwoControllers(t *testing.T) {
	dir, address := t.TempDir(), freeAddress(t)
	write(t, filepath.Join(dir, "token"), testToken)
	if s := start(t, dir, "nats-server", address, testToken, filepath.Join(dir, "store")); !s.says("ready", 20*time.Second) {
		t.Fatalf("the server does not start: %s", s.out)
	}
	args := append(strings.Fields("load --db mock --workload c --no-load --rate 100/s --duration 1s --warmup-duration 0s --progress plain --agents a --allow-skew --agents-token @token --nats"), "nats://"+address)
	first := start(t, dir, "tare-full", args...)
	start(t, dir, "tare-full", "agent", "--join", "nats://"+address, "--token", "@token", "--name", "b")
	if !first.says("agent b offers itself", 20*time.Second) {
		t.Fatalf("the first controller is not there: %s", first.out)
	}
	second := start(t, dir, "tare-full", args...)
	if code := second.code(30 * time.Second); code != 2 || !strings.Contains(second.out.String(), "another controller uses the same agents: run ") {
		t.Errorf("the second controller: exit code %d: %s", code, second.out)
	}
	start(t, dir, "tare-full", "agent", "--join", "nats://"+address, "--token", "@token", "--name", "a")
	if code := first.code(60 * time.Second); code != 0 {
		t.Errorf("the first controller: exit code %d: %s", code, first.out)
	}
}

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const scenarioFile = `target: %s
env: [TARE_TEST_TOKEN]
data: {users: {file: users.csv}}
load: [{ramp: 0..200/s, for: 200ms}, {rate: 200/s, for: 300ms}]
transactions:
  buy:
    steps:
      - {name: login, post: /login, headers: {Authorization: "Bearer ${env.TARE_TEST_TOKEN}"}, json: {user: "${users.name}", password: hunter22}, capture: {id: {json: id}}, think: 20ms, slo: [p99<30s]}
      - {name: order, post: "/orders/${id}", check: {status: 201}}
slo: [errors<50%%]
`

// scenarioServer answers the requests of scenarioFile.
func scenarioServer(t *testing.T, orders int) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/login" && r.Header.Get("Authorization") == "Bearer s3cr3t-t0ken":
			io.WriteString(w, `{"id":"7"}`)
		case r.URL.Path == "/orders/7":
			w.WriteHeader(orders)
		default:
			http.Error(w, r.Header.Get("Authorization"), http.StatusForbidden)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func runLoad(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(Config{}, append([]string{"load"}, args...), strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func writeScenario(t *testing.T, url string) string {
	t.Helper()
	t.Setenv("TARE_TEST_TOKEN", "s3cr3t-t0ken")
	dir := t.TempDir()
	file := filepath.Join(dir, "shop.yaml")
	for name, text := range map[string]string{file: fmt.Sprintf(scenarioFile, url), filepath.Join(dir, "users.csv"): "name\nann\nbob\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

// TestScenario: a scenario is run with its phases and objectives, and its record says what was run, without secrets.
func TestScenario(t *testing.T) {
	file := writeScenario(t, scenarioServer(t, http.StatusCreated).URL)
	out := filepath.Join(t.TempDir(), "r.jsonl")
	code, stdout, stderr := runLoad(t, "--scenario", file, "--workers", "2", "--progress", "none", "--slo", "BUY/order errors<1%", "-o", out)
	records, err := os.ReadFile(out)
	if code != 0 || err != nil {
		t.Fatalf("exit code %d: %s%s %v", code, stdout, stderr, err)
	}
	for _, want := range []string{"buy\n", "buy/login\n", "buy/order\n", "shop.yaml", "0/s to 200/s over 200ms, then 200/s for 300ms", "buy/login p99<30s", "BUY/order errors<1%"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in %s", want, stdout)
		}
	}
	for _, want := range []string{`"scenario":"` + file, `"transactions":["buy"]`, `"kinds":["buy","buy/login","buy/order"]`, `"name":"scenario"`} {
		if !strings.Contains(string(records), want) {
			t.Errorf("no %s in the record", want)
		}
	}
	for _, line := range bytes.Split(records, []byte("\n")) {
		var a struct {
			Name string
			Data []byte
		}
		if json.Unmarshal(line, &a) != nil || a.Name != "scenario" {
			continue
		}
		if text := string(a.Data); !strings.Contains(text, `post: "/orders/${id}"`) && !strings.Contains(text, `post: /orders/${id}`) || strings.Contains(text, "hunter22") || !strings.Contains(text, "${env.TARE_TEST_TOKEN}") {
			t.Errorf("the record has the scenario %s", text)
		}
	}
	if all := stdout + stderr + string(records); strings.Contains(all, "s3cr3t") || strings.Contains(all, "hunter22") {
		t.Error("a secret is shown or recorded")
	}
}

// TestScenarioFails: failed checks count by their class; an objective of a step decides the exit code.
func TestScenarioFails(t *testing.T) {
	file := writeScenario(t, scenarioServer(t, http.StatusConflict).URL)
	code, stdout, stderr := runLoad(t, "--scenario", file, "--progress", "none", "--rate", "100", "--duration", "300ms", "--warmup-duration", "0s")
	if code != 1 && code != 3 || !strings.Contains(stdout, "check") || !strings.Contains(strings.Join(strings.Fields(stdout), " "), "status 409 Conflict, want 201") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	t.Setenv("TARE_TEST_TOKEN", "another-0ne")
	code, stdout, stderr = runLoad(t, "--scenario", file, "--progress", "none", "--rate", "100", "--duration", "300ms", "--warmup-duration", "0s")
	if code != 1 && code != 3 || !strings.Contains(strings.Join(strings.Fields(stdout), " "), "status 403") || strings.Contains(stdout+stderr, "another-0ne") {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
}

// TestScenarioDryRun: the plan shows phases, transactions and users who pause.
func TestScenarioDryRun(t *testing.T) {
	file := writeScenario(t, "http://127.0.0.1:1")
	code, stdout, stderr := runLoad(t, "--scenario", file, "--dry-run")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	got := map[string][]string{}
	for line := range strings.Lines(stdout) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), "  ")
		got[name] = append(got[name], strings.TrimSpace(rest))
	}
	for name, want := range map[string]string{
		"target": "http://127.0.0.1:1", "transaction": "buy, 100 %: login, order", "phase": "0/s to 200/s over 200ms|200/s for 300ms",
		"think time": "20ms on average, at most 20ms in a transaction", "users": "about 4 pause at once at 200/s, and hold no worker",
		"slo": "buy/login p99<30s|errors<50%", "due": "about 80 operations, warm-up included", "duration": "500ms",
	} {
		if text := strings.Join(got[name], "|"); text != want {
			t.Errorf("%s: %q, want %q\n%s", name, text, want, stdout)
		}
	}
}

// TestPrintScenario: what is printed can be run, and has what flags change.
func TestPrintScenario(t *testing.T) {
	file := writeScenario(t, "http://127.0.0.1:1")
	code, first, stderr := runLoad(t, "--scenario", file, "--print-scenario", "--rate", "10..20/s", "--duration", "3s", "--ramp", "2s", "--allow-host", "shop.test", "--slo", "p99<1s", "--arrivals", "poisson")
	if code != 0 || strings.Contains(first, "s3cr3t") {
		t.Fatalf("exit code %d: %s%s", code, first, stderr)
	}
	for _, want := range []string{"{ramp: 10/s..20/s, for: 2s}", "{rate: 20/s, for: 1s}", "arrivals: poisson", "allow: [shop.test]", "p99<1s", "${env.TARE_TEST_TOKEN}"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in %s", want, first)
		}
	}
	if err := os.WriteFile(file, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, second, stderr := runLoad(t, "--scenario", file, "--print-scenario"); second != first {
		t.Errorf("%s\nprinted again: %s%s", first, second, stderr)
	}
}

// TestScenarioUsage: contradictions are named.
func TestScenarioUsage(t *testing.T) {
	file := writeScenario(t, "http://127.0.0.1:1")
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte("target: http://127.0.0.1:1\ntransactions: {a: {steps: [{name: x, gett: /}]}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--scenario", file, "--workload", "a", "--db", "mock"}, "--workload and --scenario contradict each other"},
		{[]string{"--scenario", file, "-p", "a=b"}, "--property and --scenario contradict each other"},
		{[]string{"--scenario", file, "--duration", "5s"}, "a --rate replaces them"},
		{[]string{"--scenario", file, "--slo", "sell p99<1s", "--dry-run"}, ""},
		{[]string{"--scenario", bad}, "bad.yaml:2:38: "},
		{[]string{"--scenario", bad}, "(did you mean get?)"},
		{[]string{"--scenario", "nope.yaml"}, "nope.yaml"},
		{[]string{"--print-scenario"}, "--print-scenario needs a --scenario"},
		{[]string{"--scenario", file}, "connection refused"},
		{[]string{"--scenario", file, "--print-scenario", "--rates", "1,2"}, "--print-scenario prints one run"},
		{[]string{"--scenario", file, "--print-scenario", "--operations", "5", "--rate", "5"}, "give --duration"},
	} {
		code, _, stderr := runLoad(t, c.args...)
		if c.want != "" && (code == 0 || !strings.Contains(stderr, c.want)) {
			t.Errorf("%v: exit code %d, %s", c.args, code, stderr)
		}
	}
	if code, stdout, _ := runLoad(t, "--schema"); code != 0 || !json.Valid([]byte(stdout)) || !strings.Contains(stdout, "2020-12") {
		t.Errorf("--schema: exit code %d, %s", code, stdout)
	}
}

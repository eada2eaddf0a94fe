package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scenarioCommand calls the command, and returns its status and what it printed.
func scenarioCommand(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	var out, said bytes.Buffer
	code = Main(Config{}, append([]string{"load", "--progress", "none"}, args...), strings.NewReader(""), &out, &said)
	return code, out.String(), said.String()
}

// write writes a scenario, in which $URL is an address.
func write(t *testing.T, address, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "s.yaml")
	if err := os.WriteFile(name, []byte(strings.ReplaceAll(text, "$URL", address)), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

const twoSteps = `target: $URL
env: [API_TOKEN]
transactions:
  buy:
    steps:
      - {name: login, post: /login, headers: {Authorization: "Bearer ${env.API_TOKEN}"}, capture: {id: {json: id}}}
      - {name: order, get: "/items/${id}", check: {body: fine}}
`

// TestScenarioSteps: transactions and their steps are operations of the result, a secret is in no record, and a check
// that fails is an error of its class.
func TestScenarioSteps(t *testing.T) {
	t.Setenv("API_TOKEN", "hunter7")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/login" && r.Header.Get("Authorization") == "Bearer hunter7" {
			io.WriteString(w, `{"id":17}`)
			return
		}
		fmt.Fprint(w, map[string]string{"/items/17": "fine"}[r.URL.Path])
	}))
	defer server.Close()
	record := filepath.Join(t.TempDir(), "run.jsonl")
	code, stdout, stderr := scenarioCommand(t, "--scenario", write(t, server.URL, twoSteps), "--operations", "20", "--workers", "2", "--warmup-duration", "0s", "--format", "json", "-o", record)
	if code != 0 {
		t.Fatalf("status %d: %s", code, stderr)
	}
	var got struct {
		Load      struct{ Operations, Errors int64 }
		Latencies []struct{ Role string }
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"buy", "buy/login", "buy/order"} {
		if !strings.Contains(stdout, `"`+name+`"`) {
			t.Errorf("no %s in\n%s", name, stdout)
		}
	}
	text, err := os.ReadFile(record)
	if err != nil || bytes.Contains(text, []byte("hunter7")) || strings.Contains(stdout+stderr, "hunter7") {
		t.Errorf("the secret was written, or %v", err)
	}

	wrong := strings.ReplaceAll(twoSteps, "fine", "wrong")
	code, stdout, stderr = scenarioCommand(t, "--scenario", write(t, server.URL, wrong), "--operations", "5", "--workers", "1", "--warmup-duration", "0s")
	if code != 1 || !strings.Contains(stdout, "check") {
		t.Errorf("status %d, want 1 and errors of class check:\n%s%s", code, stdout, stderr)
	}
}

// TestScenarioServe: a server that tare starts is loaded by a scenario, and is gone afterwards.
func TestScenarioServe(t *testing.T) {
	shop := filepath.Join(t.TempDir(), "shop")
	if out, err := exec.Command("go", "build", "-o", shop, "../../examples/shop").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	text, err := os.ReadFile("../../examples/shop/customers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	name := write(t, "", strings.ReplaceAll(string(text), "127.0.0.1:8080", address))
	if err := os.WriteFile(filepath.Join(filepath.Dir(name), "customers.csv"), []byte("name\nann\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := scenarioCommand(t, "--scenario", name, "--serve", "'"+shop+"' -addr "+address, "--rate", "40", "--duration", "500ms", "--warmup-duration", "0s", "--slo", "errors<1%")
	met := (code == 0 || code == 3) && strings.Contains(stdout, "errors<1% met")
	if busy := code == 4; !met && !busy || !strings.Contains(stdout, "errors<1%") || !strings.Contains(stdout, "buy/order") { // on a busy machine nothing is decided
		t.Errorf("status %d\n%s%s", code, stdout, stderr)
	}
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("the server is still there")
	}
}

// TestScenarioRefused: what is wrong with a scenario or contradicts it is said in one line, and nothing is sent.
func TestScenarioRefused(t *testing.T) {
	for _, c := range []struct {
		text, want string
		args       []string
	}{
		{"target: $URL\ntransaction: {}\n", "transactions", nil},
		{"target: http://192.0.2.1/\ntransactions: {a: {steps: [{name: s, get: /}]}}\n", "was not allowed", []string{"--operations", "1"}},
		{"target: $URL\ntransactions: {a: {steps: [{name: s, get: '/${none}'}]}}\n", "none", nil},
		{"target: $URL\ntransactions: {a: {steps: [{name: s, get: /}]}}\n", "--db and --scenario contradict each other", []string{"--db", "mem"}},
	} {
		code, _, stderr := scenarioCommand(t, append([]string{"--scenario", write(t, "http://127.0.0.1:1/", c.text)}, c.args...)...)
		if code != 2 || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: status %d, %q, want 2 and %q", c.text, code, stderr, c.want)
		}
	}
}

// TestScenarioSecretPrinted: the scenario that flags come to is printed and can be read again.
func TestScenarioSecretPrinted(t *testing.T) {
	t.Setenv("API_TOKEN", "hunter7")
	code, stdout, stderr := scenarioCommand(t, "--scenario", write(t, "http://127.0.0.1:1/", twoSteps), "--rate", "7", "--duration", "3s", "--print-scenario")
	if code != 0 || !strings.Contains(stdout, "7/s") || strings.Contains(stdout, "hunter7") {
		t.Fatalf("status %d\n%s%s", code, stdout, stderr)
	}
	if code, again, stderr := scenarioCommand(t, "--scenario", write(t, "", stdout), "--print-scenario"); code != 0 || !strings.Contains(again, "7/s") {
		t.Errorf("status %d\n%s%s", code, again, stderr)
	}
}

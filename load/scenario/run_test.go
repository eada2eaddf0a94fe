package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/record"
)

// open opens a scenario whose target is a server. $URL in the text stands for that.
func open(t testing.TB, dir, text string, server *httptest.Server, set Settings) load.Target {
	t.Helper()
	s, err := Parse([]byte(strings.ReplaceAll(text, "$URL", server.URL)), filepath.Join(dir, "s.yaml"), testEnv)
	if err != nil {
		t.Fatal(err)
	}
	target, err := Open(context.Background(), s, set)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { target.Close() })
	return target
}

// user returns the first worker of a target.
func user(t testing.TB, target load.Target) *worker {
	t.Helper()
	w, err := target.Worker(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w.(*worker)
}

// send sends operation k as the engine does.
func send(w *worker, k uint64) error {
	w.Prepare(k)
	return w.Done(w.Do(context.Background(), new(load.Timer)))
}

// A shop takes the requests of the scenario in shopFile, and remembers them.
type shop struct {
	mu   sync.Mutex
	seen []string
	bad  string // a path that fails
}

const shopFile = `target: $URL
env: [API_TOKEN]
data: {users: {file: users.csv}}
transactions:
  buy:
    weight: 3
    steps:
      - name: login
        post: /login
        headers: {X-Key: "${env.API_TOKEN}"}
        json: {user: "${users.name}"}
        capture: {token: {json: token}, session: {header: X-Session}}
        check: {status: 200}
      - {name: list, get: "/items?t=${token}", capture: {id: {json: items.1.id}, next: {regexp: 'next=([^"]+)'}}, think: 1ms..3ms}
      - name: order
        post: "${next}"
        headers: {Authorization: "Bearer ${token}", X-Session: "${session}"}
        body: "id=${id} k=${k}"
        check: {status: 201-202, body: "ok ${id}", json: {n: 7.0}}
  look:
    steps: [{name: home, get: /, check: {body: home}}]
`

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.seen = append(s.seen, r.Method+" "+r.URL.RequestURI()+" "+string(body))
	bad := s.bad == r.URL.Path
	s.mu.Unlock()
	switch {
	case bad:
		http.Error(w, "no", http.StatusTeapot)
	case r.URL.Path == "/login":
		var q struct{ User string }
		json.Unmarshal(body, &q)
		if r.Header.Get("X-Key") != "s3cr3t-t0ken" || r.Header.Get("Content-Type") != "application/json" {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		w.Header().Set("X-Session", "of "+q.User)
		fmt.Fprintf(w, `{"token":"t/%s"}`, q.User)
	case r.URL.Path == "/items":
		fmt.Fprintf(w, `{"items":[{"id":1},{"id":"i %s"}],"x":"next=/orders?of=2&a=b"}`, r.FormValue("t"))
	case r.URL.Path == "/orders":
		id, _, _ := strings.Cut(strings.TrimPrefix(string(body), "id="), " k=")
		name := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer t/")
		if r.Header.Get("X-Session") != "of "+name || id != "i t/"+name || r.FormValue("of") != "2" {
			http.Error(w, "mixed up", http.StatusConflict)
			return
		}
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"text":"ok %s","n":7}`, id)
	default:
		io.WriteString(w, "home")
	}
}

// TestRun: all steps are sent, with the values of their own transaction, and recorded as kinds of their own.
func TestRun(t *testing.T) {
	s := &shop{}
	server := httptest.NewServer(s)
	defer server.Close()
	target := open(t, testDir(t), shopFile, server, Settings{Seed: 5, OpTimeout: 10 * time.Second})
	total, err := load.Run(t.Context(), target, load.Config{Workers: 4, Operations: 200, Schedule: load.Schedule{Rate: 2000}, Drain: time.Minute}, nil)
	if err != nil || total.Completed != 200 || len(total.Errors) > 0 {
		t.Fatalf("%+v, %v, %v", total.Load, total.First, err)
	}
	counts := map[string]int64{}
	for _, l := range total.Latencies {
		counts[l.Kind+" "+l.Tag] = l.Hist.Count()
	}
	n := counts["buy "+record.TagService]
	if n < 120 || n > 180 || counts["look "+record.TagService] != 200-n { // three in four, of 200
		t.Errorf("%v", counts)
	}
	for _, step := range []string{"login", "list", "order"} {
		if counts["buy/"+step+" "+record.TagService] != n || counts["buy/"+step+" "+record.TagResponse] != 0 {
			t.Errorf("%s: %v", step, counts)
		}
	}
}

// TestSameForEveryWorker: what is sent for operation k follows from the seed and k.
func TestSameForEveryWorker(t *testing.T) {
	s := &shop{}
	server := httptest.NewServer(s)
	defer server.Close()
	dir := testDir(t)
	what := func(seed uint64, ks ...uint64) string {
		target := open(t, dir, shopFile, server, Settings{Seed: seed})
		w := user(t, target)
		s.seen = nil
		var all []string
		for _, k := range ks {
			before := len(s.seen)
			if err := send(w, k); err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprint(k, s.seen[before:]))
		}
		slices.Sort(all)
		return strings.Join(all, "\n")
	}
	a, b, c := what(1, 0, 1, 2, 3, 4, 5, 6, 7), what(1, 7, 3, 5, 1, 0, 2, 6, 4), what(2, 0, 1, 2, 3, 4, 5, 6, 7)
	if a != b || a == c {
		t.Errorf("%s\n\n%s\n\n%s", a, b, c)
	}
}

// TestFailures: a failed check and a capture that finds nothing end the transaction, each with its class.
func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		step, answer  string
		status        int
		class, detail string
	}{
		"status":         {"check: {status: 200}", "", 500, load.ClassCheck, "check: status 500 Internal Server Error, want 200"},
		"default status": {"", "", 500, load.ClassServer, "status 500"},
		"default 404":    {"", "", 404, load.ClassClient, "status 404"},
		"default 304":    {"", "", 304, load.ClassStatus, "status 304"},
		"body":           {"check: {body: x}", "y", 200, load.ClassCheck, "check: the body does not have"},
		"regexp":         {"check: {regexp: '^x$'}", "xx", 200, load.ClassCheck, "does not match"},
		"json":           {"check: {json: {a: 1}}", `{"a":2}`, 200, load.ClassCheck, "json a: the value is another one"},
		"json text":      {"check: {json: {a: 1}}", `{"a":"1.0"}`, 200, load.ClassCheck, "json a: the value is another one"},
		"no json":        {"check: {json: {a: 1}}", `<`, 200, load.ClassCheck, "json a: the body is not JSON"},
		"capture":        {"capture: {c: {json: a}}", `{"b":2}`, 200, load.ClassCapture, "capture c: there is no such value"},
		"null":           {"capture: {c: {json: a}}", `{"a":null}`, 200, load.ClassCapture, "capture c: the value is null"},
		"capture header": {"capture: {c: {header: X-None}}", ``, 200, load.ClassCapture, "capture c: the response has no header X-None"},
		"capture regexp": {"capture: {c: {regexp: 'x=(.)'}}", `y`, 200, load.ClassCapture, "capture c: the regular expression matches nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			var seen int
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen++
				w.WriteHeader(c.status)
				if c.status != 304 {
					io.WriteString(w, c.answer)
				}
			}))
			defer server.Close()
			w := user(t, open(t, "", fmt.Sprintf("target: $URL\ntransactions: {a: {steps: [{name: x, get: '/p', %s}, {name: y, get: /}]}}", c.step), server, Settings{}))
			err := send(w, 0)
			if load.Class(err) != c.class || !strings.Contains(err.Error(), "scenario: a/x: GET "+server.URL+"/p: ") || !strings.Contains(err.Error(), c.detail) || seen != 1 {
				t.Errorf("%s: %v, %d requests", load.Class(err), err, seen)
			}
		})
	}
	t.Run("path", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Header().Set("L", "http://elsewhere/") }))
		defer server.Close()
		w := user(t, open(t, "", "target: $URL\ntransactions: {a: {steps: [{name: x, get: /, capture: {l: {header: L}}}, {name: y, get: '${l}'}]}}", server, Settings{}))
		if err := send(w, 0); load.Class(err) != load.ClassCapture || !strings.Contains(err.Error(), "a/y: GET "+server.URL+"${l}: the captured path does not begin with /") {
			t.Error(err)
		}
	})
	t.Run("timeout", func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		defer server.Close()
		w := user(t, open(t, "", "target: $URL\ntransactions: {a: {steps: [{name: x, get: /}]}}", server, Settings{OpTimeout: 20 * time.Millisecond}))
		for range 2 {
			if err := send(w, 0); load.Class(err) != load.ClassTimeout {
				t.Error(err)
			}
		}
	})
}

// TestNoSecrets: no error has the value of an environment variable, whoever sends it back.
func TestNoSecrets(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "http://"+r.Header.Get("X")+"/")
		w.WriteHeader(302)
	}))
	defer server.Close()
	w := user(t, open(t, "", "target: $URL\nenv: [API_TOKEN]\ntransactions: {a: {steps: [{name: x, get: '/?${env.API_TOKEN}', headers: {X: '${env.API_TOKEN}'}, follow: 1}]}}", server, Settings{}))
	if err := send(w, 0); err == nil || strings.Contains(err.Error(), "s3cr3t") {
		t.Error(err)
	}
}

// TestLineBreaks: a captured line break begins no header.
func TestLineBreaks(t *testing.T) {
	var got http.Header
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		io.WriteString(w, `{"a":"x\r\nEvil: 1\r\n\r\nGET / HTTP/1.1"}`)
	}))
	defer server.Close()
	w := user(t, open(t, "", "target: $URL\ntransactions: {a: {steps: [{name: x, get: /, capture: {v: {json: a}}}, {name: y, get: '/${v}?q=${v}', headers: {X: '${v}'}}]}}", server, Settings{}))
	if err := send(w, 0); err != nil || got.Get("Evil") != "" || got.Get("X") != "x  Evil: 1    GET / HTTP/1.1" {
		t.Errorf("%v, %v", got, err)
	}
}

// TestCookies: a transaction begins without cookies and keeps its own.
func TestCookies(t *testing.T) {
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.URL.Path+" "+r.Header.Get("Cookie"))
		if r.URL.Path == "/a" {
			http.SetCookie(w, &http.Cookie{Name: "s", Value: "1"})
			http.Redirect(w, r, "/b", http.StatusFound)
		}
	}))
	defer server.Close()
	for on, want := range map[bool]string{true: "/a ,/b s=1,/c s=1,/a ,/b s=1,/c s=1", false: "/a ,/b ,/c ,/a ,/b ,/c "} {
		got = nil
		w := user(t, open(t, "", fmt.Sprintf("target: $URL\ncookies: %v\ntransactions: {a: {steps: [{name: x, get: /a, follow: 1}, {name: y, get: /c}]}}", on), server, Settings{}))
		for k := range uint64(2) {
			if err := send(w, k); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Join(got, ",") != want {
			t.Errorf("cookies %v: %q", on, got)
		}
	}
}

// TestThinkHoldsNoWorker: two workers serve many users who think.
func TestThinkHoldsNoWorker(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}))
	defer server.Close()
	target := open(t, "", "target: $URL\ntransactions: {a: {steps: [{name: x, get: /, think: 300ms}, {name: y, get: /}]}}", server, Settings{})
	total, err := load.Run(t.Context(), target, load.Config{Workers: 2, Duration: time.Second, Schedule: load.Schedule{Rate: 50}, Drain: time.Minute}, nil)
	if err != nil || total.Completed != 50 || total.Workers < 10 {
		t.Errorf("%+v, %v", total.Load, err)
	}
	for _, l := range total.Latencies {
		if l.Kind == "a" && l.Tag == record.TagService && l.Hist.Min() > int64(250*time.Millisecond) {
			t.Errorf("the pause is in the service time: %v", time.Duration(l.Hist.Min()))
		}
	}
}

// TestOpenFails: what can fail before the run does.
func TestOpenFails(t *testing.T) {
	server := httptest.NewServer(&shop{})
	server.Close()
	dir := testDir(t)
	s, err := Parse([]byte("target: "+server.URL+"\ntransactions: {a: {steps: [{name: x, get: /}]}}"), "s.yaml", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), s, Settings{}); err == nil || !strings.Contains(err.Error(), "or set its address in s.yaml") {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "users.csv"), []byte("name,password\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err = Parse([]byte(strings.ReplaceAll(shopFile, "$URL", server.URL)), filepath.Join(dir, "s.yaml"), testEnv)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), s, Settings{}); err == nil || !strings.Contains(err.Error(), "users.csv has no rows") {
		t.Error(err)
	}
}

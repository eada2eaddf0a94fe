package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
)

// full uses everything that a file may have.
const full = `# a shop
target: http://127.0.0.1:8080/api/
allow: [shop.test:8080, 10.9.0.0/16]
env: [API_TOKEN]
insecure: true
cookies: true
data:
  users: {file: users.csv, order: random, header: true}
  items: {file: items.jsonl}
arrivals: poisson
load:
  - {ramp: 0..500/s, for: 30s}
  - {rate: 500/s, for: 5m}
  - {pause: true, for: 1s}
  - {spike: 2k/s, for: 10s}
transactions:
  buy:
    weight: 3
    steps:
      - name: login
        post: /login
        headers: &h {Authorization: "Bearer ${env.API_TOKEN}", X-Id: "${uuid}"}
        json: {user: "${users.name}", n: 010, m: 10, deep: [true, null, 1.5, "2", {a: "$$${k}"}], t: 2024-01-01}
        capture: {token: {json: token}, next: {header: Location}, x: {regexp: 'x=(\d+)'}}
        check: {status: 200, regexp: ok}
      - {name: list, get: "${next}", headers: *h, capture: {id: {json: items.0.id}}, think: 200ms..2s, slo: [p99<50ms, errors<1%]}
      - {name: order, post: "/items/${id}?t=${token}", body: "x ${items.name}", follow: 3, check: {status: 201-202, body: "ok", json: {a.b: "${x}"}}}
  look: {steps: [{name: get, method: PURGE, path: /x}]}
slo: [errors<1%, buy p99<1s]
`

func testDir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"users.csv": "name,password\nann,x\nbob,y\n", "items.jsonl": `{"name":"a"}` + "\n", "empty.csv": "", "body": "b ${k}",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func testEnv(name string) (string, bool) {
	if name == "API_TOKEN" {
		return "s3cr3t-t0ken", true
	}
	return "", false
}

func TestParse(t *testing.T) {
	s, err := Parse([]byte(full), filepath.Join(testDir(t), "s.yaml"), testEnv)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want any }{
		{s.Target(), "http://127.0.0.1:8080/api"},
		{s.Kinds(), []string{"buy", "buy/login", "buy/list", "buy/order", "look", "look/get"}},
		{s.Objectives, []string{"buy/list p99<50ms", "buy/list errors<1%", "errors<1%", "buy p99<1s"}},
		{s.Schedule(), load.Schedule{Poisson: true, Steps: []load.Step{
			{To: 500, Ramp: true, For: 30 * time.Second}, {Rate: 500, For: 5 * time.Minute}, {For: time.Second}, {Rate: 2000, For: 10 * time.Second}}}},
		{s.Duration(), 341 * time.Second},
		{s.Secrets, []string{"s3cr3t-t0ken"}},
		{s.Share(0), 0.75},
		{s.Allow, []string{"shop.test:8080", "10.9.0.0/16"}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%+v, want %+v", c.got, c.want)
		}
	}
	mean, longest := s.Think()
	if mean != 825*time.Millisecond || longest != 2*time.Second {
		t.Errorf("pauses of %v, at most %v", mean, longest)
	}
	v := &values{k: 7, rows: [][][]byte{{[]byte(`a"b`), nil}, {[]byte("item")}}, slots: [][]byte{[]byte("T"), []byte("/n"), []byte("5")}}
	login := s.transactions[0].steps[0]
	if got, want := string(login.body.append(nil, v)), `{"user":"a\"b","n":"010","m":10,"deep":[true,null,1.5,"2",{"a":"$7"}],"t":"2024-01-01"}`; got != want || !json.Valid([]byte(got)) {
		t.Errorf("%s, want %s", got, want)
	}
	if got := string(login.headers[0].value.append(nil, v)); got != "Bearer s3cr3t-t0ken" || !login.headers[0].secret || login.headers[1].secret {
		t.Error(got)
	}
}

// TestRoundTrip: what is printed reads back the same, with and without changes.
func TestRoundTrip(t *testing.T) {
	name := filepath.Join(testDir(t), "s.yaml")
	s, err := Parse([]byte(full), name, testEnv)
	if err != nil {
		t.Fatal(err)
	}
	again := func(c Changes) *Scenario {
		t.Helper()
		text, err := s.YAML(c)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "s3cr3t") || !strings.Contains(string(text), "${env.API_TOKEN}") {
			t.Errorf("the token: %s", text)
		}
		back, err := Parse(text, name, testEnv)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return back
	}
	same := func(a, b *Scenario) {
		t.Helper()
		x, y := *a, *b
		x.root, y.root = nil, nil
		if !reflect.DeepEqual(x, y) {
			t.Errorf("%+v\n%+v", x, y)
		}
	}
	same(again(Changes{}), s)
	steps := []load.Step{{Rate: 5, To: 0, Ramp: true, For: time.Second}, {For: time.Minute}, {Rate: 0.5, For: time.Hour}}
	b := again(Changes{Schedule: &load.Schedule{Steps: steps}, Allow: []string{"10.0.0.1"}, Objectives: []string{"errors<2"}})
	want := *s
	want.phases, want.poisson = steps, false
	want.Allow, want.Objectives = append(append([]string{}, s.Allow...), "10.0.0.1"), append(append([]string{}, s.Objectives...), "errors<2")
	same(b, &want)
	for _, c := range []struct {
		s    load.Schedule
		want []load.Step
	}{
		{load.Schedule{Rate: 7, Poisson: true}, []load.Step{{Rate: 7, For: time.Minute}}},
		{load.Schedule{Rate: 7, To: 9, Over: time.Second}, []load.Step{{Rate: 7, To: 9, Ramp: true, For: time.Second}, {Rate: 9, For: 59 * time.Second}}},
		{load.Schedule{}, nil},
	} {
		b := again(Changes{Schedule: &c.s, Duration: time.Minute})
		if !reflect.DeepEqual(b.phases, c.want) || b.poisson != c.s.Poisson {
			t.Errorf("%+v, want %+v", b.phases, c.want)
		}
	}
	if _, err := s.YAML(Changes{Schedule: &load.Schedule{Times: []time.Duration{1}}}); err == nil {
		t.Error("a replay is printed")
	}
}

// TestRedacted: a record has no secrets, and no comments.
func TestRedacted(t *testing.T) {
	const text = `target: http://127.0.0.1:1 # hunter2
transactions: {a: {steps: [{name: x, post: /, json: {password: hunter2, user: u}, capture: {token: {json: token}}},
  {name: y, get: "/?token=hunter2", headers: {Authorization: "Bearer ${token}"}}]}}
`
	s, err := Parse([]byte(text), "s.yaml", testEnv)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Masked()
	if err != nil || strings.Contains(string(got), "hunter2") || !strings.Contains(string(got), "Bearer ${token}") || !strings.Contains(string(got), "json: token") {
		t.Errorf("%s, %v", got, err)
	}
}

// TestPrintRedacted: what is printed keeps its comments and settings, and has no secrets.
func TestPrintRedacted(t *testing.T) {
	const text = `target: http://127.0.0.1:1 # password=hunter2
cookies: true
transactions: {a: {steps: [{name: x, post: "/?pass%77ord=hunter2", json: {password: hunter2, more: {tokens: [hunter2, hunter2], api_key: "${env.KEY}"}}},
  {name: y, post: /, body: "pw=hunter2&client_secret=hunter2&a=b"}]}}
env: [KEY]
`
	env := func(string) (string, bool) { return "x", true }
	s, err := Parse([]byte(text), "s.yaml", env)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.YAML(Changes{Redact: true})
	if err != nil || strings.Contains(string(got), "hunter2") || !strings.Contains(string(got), "# password=") || !strings.Contains(string(got), "cookies: true") || !strings.Contains(string(got), "${env.KEY}") {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Parse(got, "s.yaml", env); err != nil {
		t.Errorf("%s: %v", got, err)
	}
	_, err = Parse([]byte("target: http://127.0.0.1:1\nallow: [\"u:hunter2@h\", \"u:hunter2@h:x\", \"http://u:hunter2@h\"]\n"), "s.yaml", env)
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "allow[2]") {
		t.Error(err)
	}
}

// withStep returns a file with one step.
func withStep(text string) string {
	return "target: http://127.0.0.1:1\ndata: {users: {file: users.csv}}\ntransactions: {t: {steps: [{name: a, get: /, capture: {c: {json: x}}}, {name: b, " + text + "}, {name: z, get: /, capture: {late: {json: x}}}]},\n other: {steps: [{name: a, get: /, capture: {theirs: {json: x}}}]}}\n"
}

func TestProblems(t *testing.T) {
	name := filepath.Join(testDir(t), "s.yaml")
	for _, c := range []struct{ text, want string }{
		{"", "1:1: is empty"},
		{"a: [", "1:1: not YAML: "},
		{"a: b: c", "1:1: not YAML: mapping values"},
		{"target: http://h\n---\ntarget: x", "2:1: a second document"},
		{"a: {b: ${c}}", "(within braces a text with ${…} is quoted)"},
		{"- a", "1:1: want keys of target, allow"},
		{"target: http://127.0.0.1\ntransactoins: {}", "2:1: unknown key \"transactoins\" (did you mean transactions?)"},
		{"target: http://127.0.0.1\ntransactoins: {}", "1:1: transactions is missing"},
		{"target: http://127.0.0.1\ntarget: x", "2:1: \"target\" is here twice, first in line 1"},
		{"target: ftp://x", "1:9: target: want a server"},
		{"target: http://u:p@h", "1:9: target: has a user or a password"},
		{"target: [a]", "1:9: target: want a text: the server"},
		{"target:", "target: has no value"},
		{"cookies: yes", "1:10: cookies: \"yes\": want true or false"},
		{"env: [NOPE]", "1:7: env[0]: the environment variable NOPE is not set"},
		{"env: [A-B]", "1:7: env[0]: \"A-B\" is no name"},
		{"allow: [0.0.0.0/0]", "1:9: allow[0]: \"0.0.0.0/0\": is every address"},
		{"arrivals: poison", "1:11: arrivals: \"poison\": want constant or poisson (did you mean poisson?)"},
		{"load: [{rate: 5}]", "1:8: load[0]: for is missing"},
		{"load: [{rate: 5, spike: 6, for: 1s}]", "1:8: load[0]: want one of rate, ramp, spike and pause"},
		{"load: [{rate: 5, for: 1}]", "1:23: load[0].for: \"1\" is not a duration"},
		{"load: [{rate: 0, for: 1s}]", "1:15: load[0].rate: a rate is above 0"},
		{"load: [{ramp: 5, for: 1s}]", "1:15: load[0].ramp: \"5\" is not a ramp"},
		{"load: [{ramp: 0..0, for: 1s}]", "one end of a ramp is above 0"},
		{"load: [{rate: fast, for: 1s}]", "1:15: load[0].rate: \"fast\" is not a rate"},
		{"load: []", "1:7: load: has no phase"},
		{"slo: [fast]", "1:7: slo[0]: \"fast\" is no objective"},
		{"data: {u: {file: nope.csv}}", "1:18: data.u.file: "},
		{"data: {u: {file: empty.csv}}", "empty.csv has no rows"},
		{"data: {u: {file: a.txt}}", "want a .csv or a .jsonl file"},
		{"data: {u: {file: users.csv, order: shuffle}}", "want sequential or random"},
		{"transactions: {}", "1:15: transactions: want at least one"},
		{"transactions: {a: {steps: []}}", "transactions.a: has no steps"},
		{"transactions: {a b: {steps: [{name: x, get: /}]}}", "a name has letters"},
		{"transactions: {service: {steps: [{name: x, get: /}]}}", "is a word of --slo"},
		{"transactions: {a: {steps: [{name: x, get: /}]}, A: {steps: [{name: x, get: /}]}}", "is here twice; upper and lower case"},
		{"transactions: {a: {weight: 1.5, steps: [{name: x, get: /}]}}", "want a whole number"},
		{"target: http://h\ntransactions: {a: {weight: 0, steps: [{name: x, get: /}]}}", "all weights are 0"},
		{"transactions: &a {a: *a}", ""},
		{withStep("get: /, post: /"), "3:72: transactions.t.steps[1]: has 2 requests, get and post"},
		{withStep("check: {status: 200}"), "has no request"},
		{withStep("gett: /"), "unknown key \"gett\" (did you mean get?)"},
		{withStep("get: x"), "a path begins with /"},
		{withStep("get: '/a b'"), "spaces, # and control characters"},
		{withStep("get: '/${nope}'"), "3:89: transactions.t.steps[1].get: ${nope}: there is no such variable; there is c, k, rand:1000, uuid, users.COLUMN"},
		{withStep("get: '/${uuidd}'"), "(did you mean uuid?)"},
		{withStep("get: '/${late}'"), "${late} is captured by a later step, z"},
		{withStep("get: '/${own}', capture: {own: {json: x}}"), "captured from the response of this step itself"},
		{withStep("get: '/${theirs}'"), "captured in transaction other"},
		{withStep("get: '/${env.API_TOKEN}'"), "API_TOKEN is not among env"},
		{withStep("get: '/${users.nam}'"), "has no such column (did you mean name?); it has name, password"},
		{withStep("get: '/${user.name}'"), "there is no data \"user\" (did you mean users?)"},
		{withStep("get: '/$k'"), "want a variable as ${name}"},
		{withStep("method: CONNECT, path: /"), "is no method"},
		{withStep("method: PURGE"), "method needs a path"},
		{withStep("path: /x"), "path needs a method"},
		{withStep("get: /, headers: {Authorization: Basic abc}"), "a secret is not written into the file"},
		{withStep("get: /, headers: {'a b': x}"), "is no name of a header"},
		{withStep("get: /, headers: {X: \"a\\nb\"}"), "a header has no line breaks"},
		{withStep("post: /, body: x, json: {}"), "body and json: want one of them"},
		{withStep("post: /, body: '@nope'"), "steps[1].body: "},
		{withStep("get: /, capture: {x: {json: $.a}}"), "JSONPath is not supported"},
		{withStep("get: /, capture: {x: {json: a, header: b}}"), "want one of json, header and regexp"},
		{withStep("get: /, capture: {x: {regexp: a}}"), "has no group"},
		{withStep("get: /, capture: {x: {regexp: '('}}"), "missing closing"},
		{withStep("get: /, capture: {k: {json: a}}"), "and not k, uuid"},
		{withStep("get: /, check: {status: 2xx}"), "want statuses"},
		{withStep("get: /, check: {json: {'a[0]': 1}}"), "brackets"},
		{withStep("get: /, think: soon"), "is no pause"},
		{withStep("get: /, think: 2s..1s"), "is no pause"},
		{withStep("get: /, follow: 100"), "at most 20"},
		{withStep("get: /, follow: -1"), "want a whole number"},
		{withStep("get: /, slo: [rate>5/s]"), "is no objective of a step"},
		{strings.Replace(withStep("get: /"), "{name: z, get: /,", "{name: z, get: /, think: 1s,", 1), "no step follows"},
		{strings.Replace(withStep("get: /"), "name: b", "name: A", 1), "is here twice"},
	} {
		_, err := Parse([]byte(c.text), name, testEnv)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.text, err, c.want)
		}
		var p *ParseError
		if !errors.As(err, &p) || len(p.Problems) == 0 || !strings.HasPrefix(err.Error(), name+":") {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

// TestManyProblems: all are reported, in the order of the file, up to a limit.
func TestManyProblems(t *testing.T) {
	var b strings.Builder
	b.WriteString("target: http://h\ntransactions:\n")
	for i := range 30 {
		fmt.Fprintf(&b, "  t%d: {steps: [{name: a, gett: /, headers: 5}]}\n", i)
	}
	_, err := Parse([]byte(b.String()), "s.yaml", testEnv)
	var p *ParseError
	if !errors.As(err, &p) || len(p.Problems) != maxProblems || p.More != 70 || !strings.HasSuffix(err.Error(), "s.yaml: 70 more") {
		t.Fatal(err)
	}
	for i, x := range p.Problems[1:] {
		if a := p.Problems[i]; a.Line > x.Line || a.Line == x.Line && a.Column > x.Column {
			t.Error("not in order")
		}
	}
}

// TestBombs: aliases do not multiply, and depth is limited.
func TestBombs(t *testing.T) {
	bomb := "target: http://h\nx0: &x0 [a,a,a,a,a,a,a,a,a,a]\n"
	for i := 1; i < 9; i++ {
		bomb += fmt.Sprintf("x%d: &x%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d,", i-1), 10), ","))
	}
	bomb += "transactions: {a: {steps: [{name: a, post: /, json: *x8}]}}\n"
	for name, text := range map[string]string{
		"aliases": bomb,
		"depth":   "target: http://h\ntransactions: {a: {steps: [{name: a, post: /, json: " + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}]}}",
		"length":  strings.Repeat("#", maxFile+1),
		"texts":   "target: http://h\nslo: [&a " + strings.Repeat("x", 1<<19) + strings.Repeat(", *a", 1<<16) + "]",
	} {
		start := time.Now()
		_, err := Parse([]byte(text), "s.yaml", testEnv)
		if err == nil || time.Since(start) > time.Minute {
			t.Errorf("%s: %v", name, err)
		}
		if len(err.Error()) > 20_000 {
			t.Errorf("%s: an error of %d bytes", name, len(err.Error()))
		}
		if !strings.Contains(err.Error(), "more than 100000 values") && !strings.Contains(err.Error(), "1 MiB") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSchema: the schema is JSON, and has the keys that files may have.
func TestSchema(t *testing.T) {
	var s struct {
		Schema     string `json:"$schema"`
		Properties map[string]any
		Required   []string
	}
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.Schema, "2020-12") || s.Properties["transactions"] == nil || s.Properties["load"] == nil || len(s.Required) != 2 {
		t.Errorf("%+v", s)
	}
}

// FuzzParse: no file crashes the reader; what it takes can be printed, and reads back the same.
func FuzzParse(f *testing.F) {
	f.Add([]byte(full))
	f.Add([]byte(withStep("get: /, think: 1s")))
	f.Add([]byte("a: &a [*a]"))
	f.Add([]byte("target: &t http://h\ntransactions: {a: {steps: [{name: *t, get: /}]}}"))
	f.Add([]byte("? [a]\n: b"))
	f.Add([]byte("!!binary aGk=: x"))
	dir := testDir(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		name := filepath.Join(dir, "s.yaml")
		s, err := Parse(text, name, testEnv)
		if err != nil {
			var p *ParseError
			if !errors.As(err, &p) || len(p.Problems) == 0 {
				t.Fatal(err)
			}
			return
		}
		out, err := s.YAML(Changes{})
		if err != nil {
			t.Fatal(err)
		}
		again, err := Parse(out, name, testEnv)
		if err != nil {
			t.Fatalf("%s\nbecomes %s\n%v", text, out, err)
		}
		if !reflect.DeepEqual(again.Kinds(), s.Kinds()) || !reflect.DeepEqual(again.Schedule(), s.Schedule()) || !reflect.DeepEqual(again.Objectives, s.Objectives) {
			t.Fatalf("%s\nbecomes %s", text, out)
		}
		if _, err := s.Masked(); err != nil {
			t.Fatal(err)
		}
	})
}

package server

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/live"
)

// patience bounds every wait: longer than any machine needs.
const patience = time.Minute

// rig is a server with its record.
type rig struct {
	t       *testing.T
	url     string
	owner   string // the secret
	path    string
	in      *io.PipeWriter
	answers *json.Decoder
	done    chan error
	ended   bool
	second  int64 // intervals written
}

func start(t *testing.T, setup live.Setup) *rig {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	g := &rig{t: t, path: filepath.Join(t.TempDir(), "run.jsonl"), in: toServer, answers: json.NewDecoder(fromServer), done: make(chan error, 1)}
	go func() {
		g.done <- Run(in, out, view())
		out.Close()
	}()
	t.Cleanup(g.stop)
	if setup.Address == "" {
		setup.Address = "127.0.0.1:0"
	}
	a := g.say(setup)
	g.url, g.owner = a.URL, a.Owner
	if g.url == "" {
		t.Fatal("no URL")
	}
	return g
}

func view() View {
	main := func(w io.Writer, so *result.Result) error {
		end := "none"
		if so.End != nil {
			end = so.End.State
		}
		_, err := fmt.Fprintf(w, "<p>%d phases\nend %s</p>", len(so.Phases), end)
		return err
	}
	return View{
		Page: func(w io.Writer, so *result.Result) error { io.WriteString(w, "<!DOCTYPE html>"); return main(w, so) },
		Main: main,
		File: func(w io.Writer, path string) error {
			_, err := io.WriteString(w, "file of "+filepath.Base(path))
			return err
		},
		Name: func(path string) string { return filepath.Base(path) + ".html" },
	}
}

// say sends a line and returns the answer.
func (g *rig) say(line any) (a live.Answer) {
	g.t.Helper()
	if err := json.NewEncoder(g.in).Encode(line); err != nil {
		g.t.Fatal(err)
	}
	if err := g.answers.Decode(&a); err != nil {
		g.t.Fatal(err)
	}
	return a
}

func (g *rig) stop() {
	if g.ended {
		return
	}
	g.ended = true
	g.in.Close()
	select {
	case err := <-g.done:
		if err != nil {
			g.t.Error(err)
		}
	case <-time.After(patience):
		g.t.Error("the server did not end")
	}
}

// write appends to the record.
func (g *rig) write(text string) {
	g.t.Helper()
	f, err := os.OpenFile(g.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err != nil {
		g.t.Fatal(err)
	}
	f.Close()
}

const head = `{"k":"run","v":1,"kind":"load","tare":"devel","seed":"7","config":{"load":{"db":"mock","interval":1000000000,"duration":20000000000}}}` + "\n"

// interval appends a second of a load run, with 100 answers of 1 ms. Its data is long, so that it fills buffers.
func (g *rig) interval() {
	g.t.Helper()
	h := hist.New(hist.Config{})
	h.RecordN(1e6, 100)
	data, err := h.Encode()
	if err != nil {
		g.t.Fatal(err)
	}
	at := fmt.Sprintf(`"start":%d,"length":1000000000`, g.second*1e9)
	g.second++
	g.write(fmt.Sprintf(`{"k":"load","phase":"run","iter":%d,%s,"asked":100,"did":100,"scheduled":%d,"started":%[3]d,"completed":%[3]d,"dropped":0,"unsent":3,"unfinished":0,"errors":{"timeout":%[1]d},"workers":2,"cpu":1}`+"\n", g.second, at, 100*g.second))
	g.write(fmt.Sprintf(`{"k":"hist","name":"READ","iter":%d,"tag":"response",%s,"unit":"ns","data":%q}`+"\n", g.second, at, base64.StdEncoding.EncodeToString(data)))
}

// request returns the answer to a request with headers, which are alternate names and values.
func (g *rig) request(path string, headers ...string) *http.Response {
	g.t.Helper()
	req, err := http.NewRequest("GET", g.url+strings.TrimPrefix(path, "/"), nil)
	if err != nil {
		g.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	r, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { r.Body.Close() })
	return r
}

func (g *rig) text(path string, headers ...string) string {
	g.t.Helper()
	r := g.request(path, headers...)
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		g.t.Fatal(r.Status, err)
	}
	return string(text)
}

// event is one server-sent event.
type sentEvent struct{ name, id, data string }

// listen returns the events from where a browser was.
func (g *rig) listen(last string) <-chan sentEvent {
	g.t.Helper()
	return g.listenAs("", "Last-Event-ID", last)
}

// listenAs returns the events for who has a secret, or headers.
func (g *rig) listenAs(owner string, headers ...string) <-chan sentEvent {
	g.t.Helper()
	r := g.request("/events?owner="+owner, headers...)
	if got := r.Header.Get("Content-Type"); got != "text/event-stream" {
		g.t.Fatalf("%s: %s", r.Status, got)
	}
	out := make(chan sentEvent, 100)
	go func() {
		defer close(out)
		var e sentEvent
		lines := bufio.NewScanner(r.Body)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ":")
			value = strings.TrimPrefix(value, " ")
			switch name {
			case "event":
				e.name = value
			case "id":
				e.id = value
			case "data":
				e.data += value + "\n"
			case "":
				if e.name != "" {
					out <- e
				}
				e = sentEvent{}
			}
		}
	}()
	return out
}

// await returns the next event of a name.
func (g *rig) await(events <-chan sentEvent, name string) sentEvent {
	g.t.Helper()
	limit := time.After(patience)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				g.t.Fatalf("the events ended before %s", name)
			}
			if e.name == name {
				return e
			}
		case <-limit:
			g.t.Fatalf("no event %s", name)
		}
	}
}

// TestEvents: a late browser gets all lines, one that reconnects gets the lines that it lacks, and all get the end of the run.
func TestEvents(t *testing.T) {
	g := start(t, live.Setup{Follow: true})
	early := g.listen("")
	g.await(early, "status")
	g.write(head)
	g.say(live.Message{Record: g.path})
	g.await(early, "begin")
	g.interval()
	first := g.await(early, "lines")
	g.interval()
	g.await(early, "lines")
	late := g.await(g.listen(""), "lines")
	if got := strings.Count(late.data, `"k":"load"`); got != 2 || strings.Contains(late.data, `"k":"run"`) || !strings.Contains(late.data, `"k":"hist"`) {
		t.Errorf("who is late gets %d intervals: %s", got, late.data)
	}
	back := g.await(g.listen(first.id), "lines")
	if strings.Contains(back.data, `"iter":1,`) && strings.Contains(first.data, `"k":"hist"`) || !strings.Contains(back.data, `"iter":2,`) {
		t.Errorf("who comes back gets %s", back.data)
	}
	g.write(`{"k":"load","phase":"run","final":true,"start":0,"length":2000000000,"asked":100,"did":100,"scheduled":200,"started":200,"completed":200}` + "\n" + `{"k":"end","state":"completed"}` + "\n")
	g.say(live.Message{End: true, Record: g.path})
	if got := g.await(early, "main").data; !strings.Contains(got, "\nend ") {
		t.Errorf("the main part is %q", got)
	}
	g.await(early, "end")
	if got := g.await(g.listen(""), "main").data; !strings.Contains(got, "end completed") {
		t.Errorf("after the end the main part is %q", got)
	}
}

// TestMoved: a record that goes on in another file begins anew.
func TestMoved(t *testing.T) {
	g := start(t, live.Setup{Follow: true})
	g.write(head)
	g.interval()
	g.say(live.Message{Record: g.path})
	events := g.listen("")
	g.await(events, "lines")
	g.path += "2"
	g.second = 0
	g.write(head)
	g.interval()
	g.say(live.Message{Record: g.path})
	g.await(events, "begin")
	if got := g.await(events, "lines").data; strings.Count(got, `"k":"load"`) != 1 {
		t.Errorf("%s", got)
	}
}

// TestOnRequest: a server that does not follow the record reads it on request.
func TestOnRequest(t *testing.T) {
	g := start(t, live.Setup{})
	g.write(`{"k":"run","v":1,"kind":"bench","seed":"7","config":{"forks":3}}` + "\n")
	g.say(live.Message{Record: g.path})
	events := g.listen("")
	if got := g.await(events, "status").data; !strings.HasPrefix(got, "nothing is recorded yet") {
		t.Errorf("%q", got)
	}
	g.write(`{"k":"case","id":1,"pkg":"p","name":"Sort","procs":1}` + "\n" + `{"k":"fork","id":1,"case":1,"round":1,"purpose":"timing","state":"ok"}` + "\n")
	g.say(live.Message{Between: true})
	for seen := map[string]string{}; seen["main"] == "" || seen["status"] == ""; { // in either order
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("the events ended behind %q", seen)
			}
			if seen[e.name] = e.data; e.name == "status" && e.data != "round 1 of 3 · fork 1 of 3\n" {
				t.Errorf("%q", e.data)
			}
		case <-time.After(patience):
			t.Fatalf("only %q", seen)
		}
	}
}

// TestSlow: a browser that does not read loses its connection, and another gets everything meanwhile.
func TestSlow(t *testing.T) {
	s := newServer(live.Setup{Address: "127.0.0.1:0", Follow: true}, view())
	address, err := s.listen()
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	g := &rig{t: t, url: address, path: filepath.Join(t.TempDir(), "run.jsonl")}
	g.write(head)
	s.take(&live.Message{Record: g.path})
	slow, err := net.Dial("tcp", strings.Trim(strings.TrimPrefix(g.url, "http://"), "/"))
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	slow.(*net.TCPConn).SetReadBuffer(4 << 10)
	fmt.Fprintf(slow, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
	awaitListeners(t, s, 1)
	const lines = 24 // of 1 MB: more than the kernel keeps for a connection
	line := `{"k":"hist","name":"READ","iter":1,"tag":"x","start":0,"length":1,"unit":"B","data":"` + strings.Repeat("A", 1<<20) + `"}` + "\n"
	for range lines {
		g.write(line)
	}
	quick := g.listen("")
	for got := 0; got < lines; {
		got += strings.Count(g.await(quick, "lines").data, `"k":"hist"`)
	}
	if got := g.text("/metrics"); !strings.Contains(got, "tare_run_ended 0") {
		t.Errorf("%s", got)
	}
	awaitListeners(t, s, 1) // the quick one
}

// awaitListeners waits until n browsers listen.
func awaitListeners(t *testing.T, s *Server, n int) {
	t.Helper()
	for end := time.Now().Add(patience); s.listeners() != n; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d browsers listen, want %d", s.listeners(), n)
		}
	}
}

// TestEndsWithClients: the server ends although browsers listen, at once where the run was cut off.
func TestEndsWithClients(t *testing.T) {
	for _, whole := range []bool{false, true} {
		g := start(t, live.Setup{Follow: true})
		g.write(head)
		g.say(live.Message{Record: g.path})
		events := g.listen("")
		g.await(events, "status")
		if whole {
			g.say(live.Message{End: true, Record: g.path})
			g.await(events, "end")
		}
		g.stop()
		for range events { // until the connection ends
		}
	}
}

// TestNotStarted: Run returns ErrNotStarted if its input does not begin with a setup.
func TestNotStarted(t *testing.T) {
	for _, in := range []string{"", "x\n", "{}\n"} {
		if err := Run(strings.NewReader(in), io.Discard, view()); err != live.ErrNotStarted {
			t.Errorf("%q: %v", in, err)
		}
	}
}

package live_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/live"
	"github.com/tarebench/tare/internal/show/live/server"
)

// TestMain lets the test binary be the process that serves the page.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == live.Verb {
		if err := server.Run(os.Stdin, os.Stdout, view()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// slowSeed is the seed of a record whose page takes long to write.
const slowSeed = 8

func view() server.View {
	write := func(w io.Writer, so *result.Result) error {
		if so.Run != nil && so.Run.Seed == slowSeed {
			time.Sleep(1500 * time.Millisecond) // longer than Between waits
		}
		_, err := fmt.Fprintf(w, "seed %v, end %v", so.Run != nil && so.Run.Seed == 7, so.End)
		return err
	}
	return server.View{Page: write, Main: write, Name: filepath.Base, File: func(w io.Writer, path string) error {
		text, err := os.ReadFile(path)
		w.Write(text)
		return err
	}}
}

// TestPage: the process serves what the record has, and ends with the run although somebody still listens.
func TestPage(t *testing.T) {
	p, err := live.Start(live.Options{Address: "127.0.0.1:0"}, live.OnRequest)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(`{"k":"run","v":1,"kind":"bench","seed":"7"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Record(path)
	p.Between()
	if got := get(t, p.URL); !strings.HasPrefix(got, "seed true, end &{partial the run goes on}") {
		t.Errorf("%q", got)
	}
	events, err := http.Get(p.URL + "events") // events are never read
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	p.End(path)
	p.Close(nil, nil)
	if _, err := net.Dial("tcp", strings.Trim(strings.TrimPrefix(p.URL, "http://"), "/")); err == nil {
		t.Error("it still listens")
	}
}

// TestLinger: a page stays as long as was asked for, or until the signal.
func TestLinger(t *testing.T) {
	p, err := live.Start(live.Options{Address: "127.0.0.1:0", Linger: time.Hour}, live.Follow)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(`{"k":"run","v":1,"seed":"7"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if p.Lingers() != 0 {
		t.Error("it would linger without a run")
	}
	p.End(path)
	p.Finish(nil)
	quit, closed := make(chan struct{}), make(chan struct{})
	go func() { p.Close(quit, nil); close(closed) }()
	if got := get(t, p.URL+"save"); !strings.Contains(got, `"seed":"7"`) {
		t.Errorf("%q", got)
	}
	select {
	case <-closed:
		t.Fatal("it has ended")
	default:
	}
	close(quit)
	<-closed
}

// TestLateAnswer: a server that was busy for a while is not given up: the page gets the end of the run, and stays.
func TestLateAnswer(t *testing.T) {
	p, err := live.Start(live.Options{Address: "127.0.0.1:0", Linger: time.Hour}, live.OnRequest)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(`{"k":"run","v":1,"seed":"8"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.Record(path)
	events, err := http.Get(p.URL + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer events.Body.Close()
	p.Between()
	if !p.Lost() {
		t.Fatal("the answer was not late: this tests nothing")
	}
	p.End(path)
	p.Finish(nil)
	if p.Lost() || p.Lingers() != time.Hour {
		t.Errorf("lost %v, lingers %v", p.Lost(), p.Lingers())
	}
	quit := make(chan struct{})
	close(quit)
	began := time.Now()
	p.Close(quit, nil)
	if d := time.Since(began); d > live.Grace/2 { // what listens is no browser
		t.Errorf("Close took %s", d)
	}
}

// TestBrowserFetches: a browser that listens at the end has time to fetch the finished page.
func TestBrowserFetches(t *testing.T) {
	p, err := live.Start(live.Options{Address: "127.0.0.1:0"}, live.Follow)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(`{"k":"run","v":1,"seed":"7"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodGet, p.URL+"events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Mode", "cors")
	events, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	p.End(path)
	closed := make(chan struct{})
	go func() { p.Close(nil, nil); close(closed) }()
	time.Sleep(300 * time.Millisecond)
	if got := get(t, p.URL+"save"); !strings.Contains(got, `"seed":"7"`) {
		t.Errorf("%q", got)
	}
	events.Body.Close()
	<-closed
}

// TestStartFails: what is wrong with an address or a certificate is one line.
func TestStartFails(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, c := range []struct {
		o    live.Options
		want string
	}{
		{live.Options{Address: l.Addr().String()}, "address already in use"},
		{live.Options{Address: "127.0.0.1:99999"}, "invalid port"},
		{live.Options{Address: "127.0.0.1:0", Cert: "missing.pem", Key: "missing.key"}, "--live-cert and --live-key: open missing.pem"},
	} {
		p, err := live.Start(c.o, live.Follow)
		if e := exit.As(err); p != nil || e == nil || e.Code != exit.Misuse || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
	if p, err := live.Start(live.Options{}, live.Follow); p != nil || err != nil {
		t.Error(p, err)
	}
	var none *live.Page // which does nothing
	none.Record("x")
	none.Between()
	none.End("x")
	none.Close(nil, nil)
}

func get(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(errors.Join(err, errors.New(r.Status)), string(text))
	}
	return string(text)
}

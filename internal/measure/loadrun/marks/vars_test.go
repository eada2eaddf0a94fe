package marks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestVars: collections are those between two answers, as package expvar has them.
func TestVars(t *testing.T) {
	var m runtime.MemStats
	refuse := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "hunter2" || r.URL.Path != "/debug/vars" || refuse {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		text, _ := json.Marshal(m)
		fmt.Fprintf(w, `{"cmdline": ["x"], "memstats": %s}`, text)
	}))
	defer server.Close()
	collect := func(pauses ...uint64) {
		for _, ns := range pauses {
			m.PauseNs[m.NumGC%256] = ns
			m.NumGC++
			m.PauseTotalNs += ns
		}
	}
	collect(7, 8, 9)
	r, err := Open(Config{Vars: strings.Replace(server.URL, "http://", "http://me:hunter2@", 1) + "/debug/vars"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	v := r.vars
	v.take()
	many := make([]uint64, 300)
	many[299] = 40
	for _, step := range []struct {
		pauses []uint64
		want   record.GCMarks
	}{
		{nil, record.GCMarks{}},
		{[]uint64{100, 300, 200}, record.GCMarks{Count: 3, Pause: 600, Max: 300}},
		{[]uint64{50}, record.GCMarks{Count: 1, Pause: 50, Max: 50}},
		{many, record.GCMarks{Count: 300, Pause: 40, Max: 40}},
	} {
		collect(step.pauses...)
		if err := v.ask(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := v.take(); got == nil || *got != step.want {
			t.Errorf("%+v, want %+v", got, step.want)
		}
		if got := v.take(); got != nil {
			t.Errorf("%+v without an answer", got)
		}
	}
	m = runtime.MemStats{} // it was started anew
	collect(1)
	if err := v.ask(t.Context()); err != nil || *v.take() != (record.GCMarks{}) {
		t.Error("collections of another process count", err)
	}
	refuse = true
	if err := v.ask(t.Context()); err == nil || v.take() != nil {
		t.Errorf("a refusal: %v", err)
	}
}

func TestVarsWrong(t *testing.T) {
	for text, want := range map[string]string{
		"no JSON": "no JSON", `{"a": 1}`: "no memstats", `[1]`: "no JSON", `{"memstats": {"NumGC": "x"}}`: "no JSON", "": "status 404",
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if text == "" {
				w.WriteHeader(http.StatusNotFound)
			}
			fmt.Fprint(w, text)
		}))
		if _, err := Open(Config{Vars: server.URL}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		server.Close()
	}
	for _, url := range []string{"", "x", "ftp://h/x", "http://", "http://me:hunter2@ h/"} {
		if err := CheckVars(url); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, err := Open(Config{Vars: "http://10.9.9.9:80/debug/vars"}); err == nil || !strings.Contains(err.Error(), "not on this machine") {
		t.Errorf("a server on another machine: %v", err)
	}
}

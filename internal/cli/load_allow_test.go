package cli

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/tarebench/tare/internal/testkit/nettest"
	loadhttp "github.com/tarebench/tare/load/http"
	"github.com/tarebench/tare/load/kv"
)

// TestAllowHost: a service on another host is loaded only with consent; without it, it gets no request.
func TestAllowHost(t *testing.T) {
	if !nettest.Inside(t, "10.9.9.9", "10.9.9.10") {
		return
	}
	var moved atomic.Bool
	nettest.Names(t, func(name string) string {
		switch {
		case name != "shop.test":
			return ""
		case moved.Load():
			return "10.9.9.10"
		}
		return "10.9.9.9"
	})
	var got [2]atomic.Int64 // requests of each host
	for i, address := range []string{"10.9.9.9:80", "10.9.9.10:80"} {
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if got[i].Add(1) == 10 && r.URL.Path == "/" { // few enough for a busy machine, and all that follow go elsewhere
				moved.Store(true)
			}
			if r.URL.Path == "/away" {
				http.Redirect(w, r, "http://10.9.9.10/", http.StatusFound)
			}
		}))
	}
	run := func(args ...string) (code int, stdout, stderr, records string) {
		t.Helper()
		for i := range got {
			got[i].Store(0)
		}
		moved.Store(false)
		file := filepath.Join(t.TempDir(), "r.jsonl")
		var out, errs bytes.Buffer
		args = append([]string{"load", "--rate", "400", "--duration", "500ms", "--warmup-duration", "0s", "--workers", "1", "--progress", "none", "-o", file}, args...)
		code = Main(Config{Bindings: []kv.Binding{loadhttp.Binding()}}, args, strings.NewReader(""), &out, &errs)
		data, _ := os.ReadFile(file)
		return code, out.String(), errs.String(), string(data)
	}

	code, _, stderr, _ := run("--db", "http://shop.test/")
	if want := "shop.test:80 (10.9.9.9) is not on this machine, and was not allowed (the run: constant 400/s for 500ms)"; code != 2 || !strings.Contains(stderr, want) || !strings.Contains(stderr, "--allow-host shop.test:80") {
		t.Errorf("without consent: exit code %d, %s", code, stderr)
	}
	if n := got[0].Load() + got[1].Load(); n != 0 {
		t.Errorf("without consent there were %d requests", n)
	}

	code, stdout, stderr, records := run("--db", "http://shop.test/", "--allow-host", "shop.test")
	if code != 0 || got[0].Load() == 0 || !strings.Contains(records, `"allowed":["shop.test"]`) {
		t.Errorf("exit code %d, %d requests, %s%s\n%s", code, got[0].Load(), stdout, stderr, records)
	}
	if want := "tare: load for http at http://shop.test/, as allowed by --allow-host shop.test: constant 400/s for 500ms"; !strings.Contains(stderr, want) {
		t.Errorf("not named before it began: %s", stderr)
	}

	// A connection for each request: the name is resolved each time, and moves in mid-run.
	code, stdout, stderr, _ = run("--db", "http://shop.test/", "-p", "http.keepalive=false", "--allow-host", "shop.test")
	if want := "shop.test resolved to other addresses during the run: 10.9.9.10"; code != 0 || !strings.Contains(stdout, want) || got[1].Load() == 0 {
		t.Errorf("moved: exit code %d, %d requests, %s%s", code, got[1].Load(), stdout, stderr)
	}
	_, stdout, _, records = run("--db", "http://shop.test/", "-p", "http.keepalive=false", "--allow-host", "10.9.9.9")
	if got[1].Load() != 0 || !strings.Contains(records, `"not_allowed":`) || !strings.Contains(stdout, "not_allowed") {
		t.Errorf("moved off the block: %d requests, %s", got[1].Load(), stdout)
	}
	_, _, _, records = run("--db", "http://shop.test/away", "--allow-host", "shop.test")
	if got[1].Load() != 0 || !strings.Contains(records, `"errors":{"status":`) {
		t.Errorf("a redirect was followed: %d requests, %s", got[1].Load(), records)
	}
}

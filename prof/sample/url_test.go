package sample_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/prof/sample"
	"github.com/tarebench/tare/record"
)

// server is this process, with two goroutines of which it is known where they are.
func server(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	s := httptest.NewServer(mux)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { waitsHere(stop) })
	wg.Go(func() { worksHere(stop) })
	t.Cleanup(func() {
		close(stop)
		wg.Wait()
		s.Close()
	})
	return s.URL
}

//go:noinline
func waitsHere(stop chan struct{}) { <-stop }

//go:noinline
func worksHere(stop chan struct{}) {
	x := uint64(1)
	for {
		select {
		case <-stop:
			return
		default:
			for range 10_000 {
				x ^= x<<13 ^ x>>7
			}
		}
	}
}

func TestURLWall(t *testing.T) {
	address := server(t)
	for _, a := range []string{address, address + "/debug/pprof/", address + "/debug/pprof?x=1#y"} {
		res, err := sample.URL(t.Context(), a, sample.Config{Length: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if err := res.How.Validate(); err != nil || res.How.Looks < 1 || res.How.Source != record.SampledURL || res.How.Look <= 0 || res.How.Goroutines < 2 {
			t.Errorf("%+v, %v", res.How, err)
		}
		name := "github.com/tarebench/tare/prof/sample_test.waitsHere"
		if n := sum(res.Profile, record.TypeSamples, name, record.LabelReason, "chan receive"); n < res.How.Looks {
			t.Errorf("%s: %d times in %d looks", name, n, res.How.Looks)
		}
		if n := sum(res.Profile, record.TypeSamples, "runtime/pprof.writeGoroutineStacks"); n > 0 {
			t.Error("who answers is among what is seen")
		}
	}
}

func TestURLCPU(t *testing.T) {
	res, err := sample.URL(t.Context(), server(t), sample.Config{Mode: record.SampledCPU, Length: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if n := sum(res.Profile, record.TypeSamples, "github.com/tarebench/tare/prof/sample_test.worksHere"); n < 1 || res.How.Looks < n || res.How.Wall <= 0 {
		t.Errorf("%d times: %+v", n, res.How)
	}
	if err := res.How.Validate(); err != nil {
		t.Error(err)
	}
}

func TestURLRefusals(t *testing.T) {
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/html"):
			fmt.Fprint(w, "<html>hello")
		case strings.HasPrefix(r.URL.Path, "/away"):
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
		case strings.HasPrefix(r.URL.Path, "/round"):
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		case strings.HasPrefix(r.URL.Path, "/cut"):
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "goroutine 1 [runnable]:\nmain.main()\n")
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	for _, mode := range []string{record.SampledWall, record.SampledCPU} {
		for _, c := range []struct{ address, want string }{
			{"127.0.0.1:6060", "is no address of a server"},
			{"ftp://x/", "is no address of a server"},
			{"http://", "is no address of a server"},
			{closed.URL, "connection refused"},
			{elsewhere.URL, "404 Not Found: is net/http/pprof served there?"},
			{s.URL + "/html", "it is not"},
			{s.URL + "/away", "it sends us on to"},
			{s.URL + "/round", "it sends us on and on"},
			{s.URL + "/cut", "unexpected EOF"},
			{strings.Replace(s.URL, "http://", "http://user:secret@", 1), "user:xxxxx@"},
		} {
			_, err := sample.URL(t.Context(), c.address, sample.Config{Mode: mode, Length: 10 * time.Millisecond})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s %s: %v, want %q", mode, c.address, err, c.want)
			}
		}
	}
}

// TestURLGone: a server that goes away was seen until then.
func TestURLGone(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > 3 {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprintf(w, "goroutine %d [sleep]:\ntime.Sleep(0x1)\n\t/go/time.go:1 +0x1\nmain.main()\n\t/src/main.go:7 +0x1d\n", asked/2)
	}))
	defer s.Close()
	res, err := sample.URL(t.Context(), s.URL, sample.Config{Interval: time.Millisecond, Length: time.Minute})
	if err == nil || res == nil || res.How.Looks != 3 || sum(res.Profile, record.TypeSamples, "main.main") != 3 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestURLCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	res, err := sample.URL(ctx, server(t), sample.Config{Length: time.Hour})
	if err != nil || res.How.Looks < 1 {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := sample.URL(ctx, "http://127.0.0.1:1/", sample.Config{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

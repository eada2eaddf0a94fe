package sample_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/internal/profile/sample"
	"github.com/tarebench/tare/internal/testkit/testutil"
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
	until(func(all string) bool { // it has come to where it waits
		return slices.ContainsFunc(strings.Split(all, "\n\n"), func(g string) bool {
			return strings.Contains(g, " [chan receive]:") && strings.Contains(g, "sample_test.waitsHere(")
		})
	})
	return s.URL
}

// until waits until the text of all goroutines of this process is as it should be.
func until(ok func(all string) bool) {
	buf := make([]byte, 1<<20)
	for !ok(string(buf[:runtime.Stack(buf, true)])) {
		time.Sleep(time.Millisecond)
	}
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
		until(func(all string) bool { return !strings.Contains(all, "backgroundRead(") }) // of who answered before
		res, err := sample.URL(t.Context(), a, sample.Config{Duration: 300 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if err := res.How.Validate(); err != nil || res.How.Samples < 1 || res.How.Source != record.SampledURL || res.How.SampleCost <= 0 || res.How.Goroutines < 2 {
			t.Errorf("%+v, %v", res.How, err)
		}
		name := "github.com/tarebench/tare/internal/profile/sample_test.waitsHere"
		if n := sum(res.Profile, record.TypeSamples, name, record.LabelReason, "chan receive"); n < res.How.Samples {
			t.Errorf("%s: %d times in %d looks", name, n, res.How.Samples)
		}
		if n := sum(res.Profile, record.TypeSamples, "runtime/pprof.writeGoroutineStacks"); n > 0 {
			t.Error("who answers is among what is seen")
		}
		if n := sum(res.Profile, record.TypeSamples, "net/http.(*connReader).backgroundRead"); n > 0 {
			t.Error("our own connection is among what is seen")
		}
		if !slices.ContainsFunc(res.Warnings(), func(w *record.Warn) bool { return w.Code == diagnosis.LooksOutside }) {
			t.Error("it is not said that running is underestimated")
		}
	}
}

func TestURLCPU(t *testing.T) {
	address := server(t)
	testutil.Retry(t, func(n int) error {
		res, err := sample.URL(t.Context(), address, sample.Config{Mode: record.SampledCPU, Interval: time.Millisecond, Duration: time.Second << n})
		if err != nil {
			t.Fatal(err)
		}
		if err := res.How.Validate(); err != nil {
			t.Error(err)
		}
		coarse := func(w *record.Warn) bool { return w.Code == diagnosis.LooksCoarse }
		if h := res.How; h.Interval != int64(time.Millisecond) || h.Achieved != float64(10*time.Millisecond) || !slices.ContainsFunc(res.Warnings(), coarse) {
			t.Errorf("net/http/pprof looks 100 times a second: %+v", h)
		}
		if n := sum(res.Profile, record.TypeSamples, "github.com/tarebench/tare/internal/profile/sample_test.worksHere"); n < 1 || res.How.Samples < n || res.How.Wall <= 0 {
			return fmt.Errorf("%d times: %+v", n, res.How)
		}
		return nil
	})
}

// packedZeros are so many bytes, of which little is sent.
func packedZeros(t *testing.T, n int64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.CopyN(z, zeros{}, n)
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestURLRefusals(t *testing.T) {
	bomb := packedZeros(t, 65<<20)
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
		case strings.HasPrefix(r.URL.Path, "/escapes"):
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				fmt.Fprint(c, "HTTP/1.1 500 \x1b[31mred\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
				c.Close()
			}
		case strings.HasPrefix(r.URL.Path, "/bomb/profile"):
			w.Write(bomb)
		case strings.HasPrefix(r.URL.Path, "/cut"):
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "goroutine 1 [runnable]:\nmain.main()\n")
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	const closed = "http://127.0.0.1:1" // no server of others may come to have that port
	noAnswer := map[string]string{record.SampledCPU: "not a whole profile", record.SampledWall: "not the text of net/http/pprof"}
	for _, mode := range []string{record.SampledWall, record.SampledCPU} {
		for _, c := range []struct{ address, want string }{
			{"127.0.0.1:6060", "is not the address of a server"},
			{"ftp://x/", "is not the address of a server"},
			{"http://", "is not the address of a server"},
			{closed, "connection refused"},
			{elsewhere.URL, "404 Not Found: is net/http/pprof served there?"},
			{s.URL + "/html", noAnswer[mode]},
			{s.URL + "/away", "it redirects to"},
			{s.URL + "/round", "it redirects too often"},
			{s.URL + "/cut", "unexpected EOF"},
			{strings.Replace(s.URL, "http://", "http://user:secret@", 1), "404 Not Found"},
			{s.URL + "/x?token=secret", "404 Not Found"},
			{closed + "/?token=secret", "connection refused"},
			{s.URL + "/escapes", `500 \x1b[31mred`},
			{"user:secret@host:6060/x", `"host:6060/x" is not the address of a server`},
			{"http://user:secret@h:1:bad/", `"h:1:bad/" is not the address of a server`},
			{"ftp://user:secret@h/x?token=secret", `"h/x" is not the address of a server`},
			{"http://user:secret@/x", `"/x" is not the address of a server`},
			{"http://user:se?#@secret@h:1:x", `"h:1:x" is not the address of a server`},
			{"http://h:1:x/?a=b@c&token=secret", `"c" is not the address of a server`},
			{s.URL + "/bomb", map[string]string{record.SampledCPU: "what the profile unpacks to is larger than", record.SampledWall: "404 Not Found"}[mode]}, // its text: TestAnswerEndless
		} {
			_, err := sample.URL(t.Context(), c.address, sample.Config{Mode: mode, Duration: 10 * time.Millisecond})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s %s: %v, want %q", mode, c.address, err, c.want)
			}
		}
	}
}

// TestURLSilent: waiting for a server that does not answer ends by a time limit.
func TestURLSilent(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer s.Close()
	defer sample.AnswerFor(sample.AnswerFor(time.Millisecond))
	_, err := sample.URL(t.Context(), s.URL, sample.Config{Duration: time.Hour})
	if err == nil || !strings.Contains(err.Error(), "no answer in 1ms") {
		t.Error(err)
	}
}

// TestURLGone: samples of a server that ends are kept.
func TestURLGone(t *testing.T) {
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > 3 {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprintf(w, "goroutine %d [sleep]:\ntime.Sleep(0x1)\n\t/go/time.go:1 +0x1\nmain.main()\n\t/src/main.go:7 +0x1d\n", asked/2)
	}))
	defer s.Close()
	res, err := sample.URL(t.Context(), s.URL, sample.Config{Interval: time.Millisecond, Duration: time.Hour})
	if err == nil || res == nil || res.How.Samples != 3 || sum(res.Profile, record.TypeSamples, "main.main") != 3 {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestURLCancelled: what was seen until somebody has had enough is there.
func TestURLCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	asked := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked > 1 { // the first answer was read
			cancel()
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, "goroutine 1 [sleep]:\ntime.Sleep(0x1)\n\t/go/time.go:1 +0x1\n")
	}))
	defer s.Close()
	res, err := sample.URL(ctx, s.URL, sample.Config{Interval: time.Millisecond, Duration: time.Hour})
	if err != nil || res.How.Samples != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err := sample.URL(ctx, "http://127.0.0.1:1/", sample.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestURLDirect: the secrets of a server's address are sent to no proxy.
func TestURLDirect(t *testing.T) {
	usual := http.DefaultTransport.(*http.Transport)
	defer func(proxy func(*http.Request) (*url.URL, error)) { usual.Proxy = proxy }(usual.Proxy)
	usual.Proxy = func(r *http.Request) (*url.URL, error) {
		t.Errorf("a proxy gets %s", r.URL)
		return nil, errors.New("no proxy")
	}
	for _, mode := range []string{record.SampledWall, record.SampledCPU} {
		_, err := sample.URL(t.Context(), "http://user:secret@127.0.0.1:1/", sample.Config{Mode: mode, Duration: time.Millisecond})
		if err == nil || !strings.Contains(err.Error(), "refused") {
			t.Error(err)
		}
	}
}

// TestURLQuery: what guards a server is passed on, and shown nowhere.
func TestURLQuery(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		if q := r.URL.Query(); q.Get("token") != "hunter7" || r.FormValue("debug") != "2" || user != "me" || password != "hunter8" {
			http.Error(w, "no", http.StatusForbidden)
			return
		}
		fmt.Fprint(w, "goroutine 1 [sleep]:\ntime.Sleep(0x1)\n\t/go/time.go:1 +0x1\n")
	}))
	defer s.Close()
	address := strings.Replace(s.URL, "http://", "http://me:hunter8@", 1) + "/x?debug=1&token="
	res, err := sample.URL(t.Context(), address+"hunter7", sample.Config{Duration: 10 * time.Millisecond})
	if err != nil || strings.Contains(fmt.Sprintf("%+v", res.How), "hunter") {
		t.Errorf("%+v, %v", res, err)
	}
	if _, err = sample.URL(t.Context(), address+"hunter9", sample.Config{Duration: 10 * time.Millisecond}); err == nil || strings.Contains(err.Error(), "hunter") {
		t.Error(err)
	}
}

// TestURLNegative: what cannot be is an error with the address.
func TestURLNegative(t *testing.T) {
	var b bytes.Buffer
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, DurationNanos: -1}
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write(b.Bytes()) }))
	defer s.Close()
	_, err := sample.URL(t.Context(), s.URL, sample.Config{Mode: record.SampledCPU, Duration: time.Millisecond})
	if err == nil || !strings.Contains(err.Error(), s.URL) || !strings.Contains(err.Error(), "a count of -1") {
		t.Error(err)
	}
}

// TestURLEcho: what guards an address is not shown either where the server repeats it.
func TestURLEcho(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := r.URL.RawQuery + " " + r.URL.Query().Get("key") + " " + r.Header.Get("Authorization")
		if strings.HasPrefix(r.URL.Path, "/away") {
			w.Header().Set("Location", "http://%zz/"+url.PathEscape(said))
			w.WriteHeader(http.StatusFound)
		}
		io.WriteString(w, said+"\n")
	}))
	defer s.Close()
	for _, mode := range []string{record.SampledWall, record.SampledCPU} {
		for _, path := range []string{"/", "/away/"} {
			address := strings.Replace(s.URL, "http://", "http://joe:hunter2@", 1) + path + "?key=s3%2Fcr%20et"
			_, err := sample.URL(t.Context(), address, sample.Config{Mode: mode, Duration: 10 * time.Millisecond})
			if err == nil {
				t.Fatalf("%s %s: no error", mode, path)
			}
			for _, secret := range []string{"hunter2", "s3", "cr et", "am9lOmh1bnRlcjI"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("%s %s: %v", mode, path, err)
				}
			}
		}
	}
}

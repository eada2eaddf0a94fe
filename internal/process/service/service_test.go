//go:build unix

package service

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary be a server.
func TestMain(m *testing.M) {
	if os.Getenv("TARE_TEST_SERVER") == "" || len(os.Args) < 2 {
		os.Exit(m.Run())
	}
	os.Stdout.WriteString("line one\nline two\n")
	serve := func() {
		began := time.Now()
		http.HandleFunc("/health", func(w http.ResponseWriter, r *http.Request) {
			if time.Since(began) < 100*time.Millisecond {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
	}
	switch os.Args[1] {
	case "serves":
		serve()
	case "late":
		time.Sleep(100 * time.Millisecond)
		serve()
	case "dies":
		os.Exit(7)
	case "silent":
		select {}
	case "stubborn":
		signal.Ignore(syscall.SIGTERM)
		serve()
	case "child": // goes on when its parent is gone
		c := exec.Command(os.Args[0], "stubborn")
		c.Stdout = os.Stdout
		c.Start()
		os.Stdout.WriteString("child " + strconv.Itoa(c.Process.Pid) + "\n")
		select {}
	}
	os.Exit(0)
}

func start(t *testing.T, what, health string, wait time.Duration) (*Server, error) {
	t.Helper()
	t.Setenv("TARE_TEST_SERVER", "1")
	s, err := Start(context.Background(), Config{Words: []string{os.Args[0], what, PortWord}, Health: health, Wait: wait, Grace: 200 * time.Millisecond})
	if s != nil {
		t.Cleanup(func() { s.Stop() })
	}
	return s, err
}

func TestReady(t *testing.T) {
	for _, test := range []struct{ what, health string }{{"serves", ""}, {"late", ""}, {"serves", "/health"}, {"late", "health"}} {
		began := time.Now()
		s, err := start(t, test.what, test.health, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if c, err := net.Dial("tcp", s.Address); err != nil || test.health != "" && time.Since(began) < 100*time.Millisecond {
			t.Errorf("%v: not ready: %v", test, err)
		} else {
			c.Close()
		}
		if s.Died() != nil || !strings.Contains(s.Output(), "line two") {
			t.Errorf("%v: %v, %q", test, s.Died(), s.Output())
		}
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
		if c, err := net.Dial("tcp", s.Address); err == nil {
			c.Close()
			t.Errorf("%v: it listens after Stop", test)
		}
	}
}

func TestNotReady(t *testing.T) {
	var died *DiedError
	if _, err := start(t, "dies", "", time.Minute); !errors.As(err, &died) || died.How != "exit status 7" || died.Output != "line one / line two" {
		t.Errorf("one that dies: %v", err)
	}
	if _, err := start(t, "silent", "", 300*time.Millisecond); err == nil || !strings.Contains(err.Error(), "not ready after 300ms") || !strings.Contains(err.Error(), "line two") {
		t.Errorf("one that never listens: %v", err)
	}
	if _, err := start(t, "serves", "/other", 300*time.Millisecond); err == nil || !strings.Contains(err.Error(), "status 404 of /other") {
		t.Errorf("one that is never well: %v", err)
	}
	if _, err := Start(context.Background(), Config{Words: []string{"/nowhere/at all"}}); err == nil || !strings.Contains(err.Error(), "cannot be started") {
		t.Errorf("none: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Start(context.Background(), Config{Words: []string{os.Args[0]}, Address: l.Addr().String()}); err == nil || !strings.Contains(err.Error(), "another server listens at") {
		t.Errorf("an address in use: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Start(ctx, Config{Words: []string{os.Args[0], "silent"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestStopStubborn: a server that ignores the signal is killed.
func TestStopStubborn(t *testing.T) {
	s, err := start(t, "stubborn", "", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
}

// TestStopGroup: what the server started ends with it.
func TestStopGroup(t *testing.T) {
	s, err := start(t, "child", "", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for !strings.Contains(s.Output(), "child ") {
		time.Sleep(time.Millisecond)
	}
	_, rest, _ := strings.Cut(s.Output(), "child ")
	line, _, _ := strings.Cut(rest, "\n")
	child, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	syscall.Kill(s.cmd.Process.Pid, syscall.SIGKILL)
	<-s.ended
	if died := s.Died(); died == nil || !strings.Contains(died.Error(), "signal: killed") {
		t.Errorf("died: %v", died)
	}
	if err := s.Stop(); err == nil {
		t.Error("Stop does not tell that it had ended")
	}
	for syscall.Kill(child, 0) == nil { // until it is no zombie either
		if state, _ := os.ReadFile("/proc/" + line + "/stat"); strings.Contains(string(state), ") Z ") {
			break
		}
		time.Sleep(time.Millisecond)
	}
}

func TestTail(t *testing.T) {
	var x Tail
	for n := range 100_000 {
		x.Write([]byte("line " + strconv.Itoa(n) + "\n"))
	}
	text := x.String()
	if len(text) > keepFirst+2*keepLast+100 || !strings.HasPrefix(text, "line 0\n") || !strings.HasSuffix(text, "line 99999\n") || !strings.Contains(text, "bytes left out") {
		t.Errorf("%d bytes: %.50q", len(text), text)
	}
	if x.Last() != "line 99997 / line 99998 / line 99999" {
		t.Errorf("%q", x.Last())
	}
}

// TestTailWholeLines: a line that was cut may have half of a secret, and is left out.
func TestTailWholeLines(t *testing.T) {
	var x Tail
	for n := range 10_000 {
		x.Write([]byte("begin " + strconv.Itoa(n) + " end\n"))
	}
	for line := range strings.Lines(x.String()) {
		if !strings.Contains(line, "left out") && !(strings.HasPrefix(line, "begin ") && strings.HasSuffix(line, " end\n")) {
			t.Errorf("%q", line)
		}
	}
	var long Tail
	long.Write(bytes.Repeat([]byte("x"), 1<<20))
	if text := long.String(); strings.Contains(text, "x") || !strings.Contains(text, "1048576 bytes left out") {
		t.Errorf("%.99q", text)
	}
}

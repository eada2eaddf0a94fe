package servers

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestServers(t *testing.T) {
	for _, c := range []struct {
		name  string
		start func(testing.TB, ...string) *Server
	}{
		{"redis", Redis},
		{"memcached", Memcached},
		{"postgres", Postgres},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := c.start(t)
			answers(t, s, "after start")
			s.Kill(t)
			if err := s.ready(); err == nil {
				t.Fatal("it answers after Kill")
			}
			s.Start(t)
			if runtime.GOOS != "linux" {
				return // children are not known
			}
			s.Stop(t)
			answered := make(chan error, 1)
			go func() { answered <- s.ready() }()
			select {
			case err := <-answered:
				if err == nil {
					t.Fatal("it answers although it is stopped")
				}
			case <-time.After(200 * time.Millisecond):
			}
			s.Cont(t)
			answers(t, s, "after Cont")
		})
	}
}

// answers waits until the server answers: on a busy machine it may take longer
// than one question lasts.
func answers(t *testing.T, s *Server, when string) {
	t.Helper()
	err := s.ready()
	for asked := 1; err != nil && asked < 5; asked++ {
		err = s.ready()
	}
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
}

// TestServersEndWithUs kills a test that has a server.
func TestServersEndWithUs(t *testing.T) {
	if os.Getenv("TARE_TEST_CHILD") == "1" {
		s := Redis(t)
		os.WriteFile(os.Getenv("TARE_TEST_FILE"), []byte(s.Addr), 0o600)
		select {}
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends servers with a test that is killed")
	}
	program(t, "redis-server")
	file := t.TempDir() + "/addr"
	cmd := exec.Command(os.Args[0], "-test.run=^TestServersEndWithUs$")
	cmd.Env = append(os.Environ(), "TARE_TEST_CHILD=1", "TARE_TEST_FILE="+file, "TMPDIR="+t.TempDir())
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	var addr string
	for end := time.Now().Add(patience); addr == ""; time.Sleep(5 * time.Millisecond) {
		text, _ := os.ReadFile(file)
		addr = string(text)
		if time.Now().After(end) {
			cmd.Process.Kill()
			t.Fatal("the server did not start")
		}
	}
	if err := ask(addr, "PING\r\n", "+PONG"); err != nil {
		t.Error(err)
	}
	cmd.Process.Signal(syscall.SIGKILL)
	for end := time.Now().Add(patience); ask(addr, "PING\r\n", "+PONG") == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the server outlives the test that started it")
		}
	}
}

func TestMissingProgram(t *testing.T) {
	if os.Getenv("TARE_TEST_CHILD") == "1" {
		program(t, "tare-no-such-program")
		return
	}
	for _, required := range []bool{false, true} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestMissingProgram$", "-test.v")
		cmd.Env = append(os.Environ(), "TARE_TEST_CHILD=1", "TARE_REQUIRE_SERVERS=0")
		if required {
			cmd.Env = append(cmd.Env, "TARE_REQUIRE_SERVERS=1")
		}
		out, err := cmd.CombinedOutput()
		if failed := err != nil; failed != required {
			t.Errorf("required %v: failed %v\n%s", required, failed, out)
		}
		if !strings.Contains(string(out), "tare-no-such-program is not installed") {
			t.Errorf("required %v: the program is not named:\n%s", required, out)
		}
	}
}

func TestPort(t *testing.T) {
	if _, err := strconv.Atoi(port(FreeAddr(t))); err != nil {
		t.Error(err)
	}
}

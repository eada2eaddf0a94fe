package spawn

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// roleKey makes the test binary play a child instead of running tests.
const roleKey = "LAUNCH_TEST_ROLE"

var cacheDir string // where the tests keep the launcher

func TestMain(m *testing.M) {
	if role := os.Getenv(roleKey); role != "" {
		os.Exit(play(role, os.Args[1:]))
	}
	dir, err := os.MkdirTemp("", "spawn-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	cacheDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// role is a Spec for the test binary in a role.
func role(name string, args ...string) Spec {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	// Under the race detector a program sleeps for a second before it exits, unless GORACE says otherwise.
	return Spec{Path: exe, Args: args, Env: append(os.Environ(), roleKey+"="+name, "GORACE=atexit_sleep_ms=0")}
}

func play(role string, args []string) int {
	switch role {
	case "exit":
		n, _ := strconv.Atoi(args[0])
		return n
	case "die":
		return die(args[0])
	case "write": // to 1, 2 and 3
		for fd := uintptr(1); fd <= 3; fd++ {
			fmt.Fprintf(os.NewFile(fd, "fd"), "to %d\n", fd)
		}
		return 0
	case "flood":
		n, _ := strconv.Atoi(args[0])
		for i := range n {
			fmt.Printf("line %d of some length, so that the pipe fills\n", i)
		}
		return 0
	case "count": // what came in by arguments and environment
		n := 0
		for _, e := range os.Environ() {
			n += len(e)
		}
		fmt.Println(len(args), len(strings.Join(args, "")), n, os.Getenv("SAY"))
		return 0
	case "where":
		dir, _ := os.Getwd()
		fmt.Println(dir, os.Getenv("PWD"))
		return 0
	case "stdin":
		n, err := io.Copy(io.Discard, os.Stdin)
		fmt.Println(n, err)
		return 0
	case "sleep":
		fmt.Println("ready")
		time.Sleep(time.Minute)
		return 0
	case "deaf": // to SIGQUIT
		signal.Ignore(syscall.SIGQUIT)
		fmt.Println("ready")
		time.Sleep(time.Minute)
		return 0
	case "family", "leave": // a grandchild that holds our output; family waits for it, leave does not
		return family(role == "family")
	}
	return playUnix(role, args)
}

func family(wait bool) int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleKey+"=sleep")
	out, err := cmd.StdoutPipe()
	if err == nil {
		cmd.Stderr = os.Stdout
		err = cmd.Start()
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	bufio.NewReader(out).ReadString('\n') // it is up
	fmt.Println(cmd.Process.Pid)
	if wait {
		cmd.Wait()
	}
	return 0
}

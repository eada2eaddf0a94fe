package session

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/base/tempdir"
)

// Variables of the processes that tests start: what they do, and userWait.
const (
	actVar  = "TARE_TEST_ACT"
	waitVar = "TARE_TEST_USER_WAIT"
)

const stranger = 65534 // a user id that is not ours

// process is a process of a test. It says when it is ready, and ends with its standard input.
type process struct {
	*exec.Cmd
	in  io.Closer
	out *bufio.Reader
}

// start starts a process that does something as a user, and returns its first line.
func start(t *testing.T, uid int, act string, env ...string) (*process, string) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", "-test.run=^TestAct$") // another user may not see the file's directory
	cmd.Env = append(append(os.Environ(), actVar+"="+act), env...)
	cmd.Stderr = os.Stderr
	if uid != os.Geteuid() {
		if os.Geteuid() != 0 {
			t.Skip("only root can start processes of other users")
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{cmd, in, bufio.NewReader(out)}
	t.Cleanup(func() { p.Process.Kill(); p.Wait() })
	return p, p.line()
}

func (p *process) line() string {
	line, _ := p.out.ReadString('\n')
	return strings.TrimSpace(line)
}

// end has the process end by itself, and returns what it says last.
func (p *process) end() string {
	p.in.Close()
	return p.line()
}

// TestAct is no test: it is what the processes of tests do.
func TestAct(t *testing.T) {
	act := os.Getenv(actVar)
	if act == "" {
		t.Skip("it is for processes of other tests")
	}
	userWait, _ = time.ParseDuration(os.Getenv(waitVar))
	switch act {
	case "lock", "nolock", "nowait":
		var notes bytes.Buffer
		p, _ := NewProgress(&notes, "none")
		l, err := LockMachine(context.Background(), p, LockMode{NoLock: act == "nolock", NoWait: act == "nowait"}, []string{"tare", act})
		fmt.Printf("%v, %v, %s\n", l != nil, err, strings.ReplaceAll(notes.String(), "\n", " "))
		io.Copy(io.Discard, os.Stdin)
		if w := l.Warning(); w != nil {
			fmt.Println(w.Text)
		}
		l.Unlock()
	case "deaf":
		fd, _ := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		fmt.Println(unix.Bind(fd, address("lock")))
		io.Copy(io.Discard, os.Stdin)
	case "silent", "garbage", "full":
		fd, err := listen("lock")
		if act == "full" {
			unix.Listen(fd, 0)
			connect("lock")
		}
		if act == "garbage" {
			unix.SetNonblock(fd, false)
			go func() {
				for {
					if c, _, err := unix.Accept(fd); err == nil {
						go func() {
							for err == nil {
								_, err = unix.Write(c, bytes.Repeat([]byte("\x1b[2J{\"pid\":1}"), 1000))
							}
						}()
					}
				}
			}()
		}
		for k := range maxRunning { // whoever squats on one name can do so on all
			if _, err := listen(fmt.Sprintf("running.%d", k)); err != nil {
				fmt.Println(err)
			}
		}
		fmt.Println(err)
		io.Copy(io.Discard, os.Stdin)
	}
	os.Exit(0)
}

// useTemp makes a directory of temporary files for all users, as /tmp is one, and sets userWait.
func useTemp(t *testing.T, wait time.Duration) {
	dir := filepath.Join(t.TempDir(), "tmp")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		mode os.FileMode
	}{{dir, 0o777 | os.ModeSticky}, {filepath.Dir(dir), 0o755}, {filepath.Dir(filepath.Dir(dir)), 0o755}} {
		if err := os.Chmod(c.path, c.mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("TMPDIR", dir)
	t.Setenv(namesVar, tempdir.Key())
	t.Setenv("XDG_RUNTIME_DIR", "")
	t.Setenv(waitVar, wait.String())
	before := userWait
	userWait = wait
	t.Cleanup(func() { userWait = before })
}

// acquire takes the lock, and returns what was said meanwhile.
func acquire(t *testing.T, ctx context.Context, mode LockMode) (l *MachineLock, notes string, err error) {
	t.Helper()
	var text bytes.Buffer
	p, _ := NewProgress(&text, "none")
	done := make(chan struct{})
	go func() {
		l, err = LockMachine(ctx, p, mode, []string{"tare", "test"})
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it hangs")
	}
	t.Cleanup(l.Unlock)
	return l, text.String(), err
}

// TestOtherUser: a tare waits for that of another user, but not for long. Both records say that they ran at the same time.
func TestOtherUser(t *testing.T) {
	useTemp(t, 500*time.Millisecond)
	holder, said := start(t, stranger, "lock")
	if !strings.HasPrefix(said, "true, <nil>") {
		t.Fatal(said)
	}
	who := fmt.Sprintf("(user id %d, pid %d)", stranger, holder.Process.Pid)
	if _, _, err := acquire(t, t.Context(), LockMode{NoWait: true}); exit.As(err) == nil || !strings.Contains(err.Error(), who) {
		t.Errorf("--no-wait: %v, want %s", err, who)
	}
	l, notes, err := acquire(t, t.Context(), LockMode{})
	if err != nil || !strings.Contains(notes, who+"; waiting for it, for 500ms at most\n") || !strings.Contains(notes, who+"; measuring beside it\n") {
		t.Errorf("%v, %s", err, notes)
	}
	if w := l.Warning(); w == nil || !strings.Contains(w.Text, "user id 65534") {
		t.Errorf("%+v", w)
	}
	if said := holder.end(); !strings.Contains(said, "at the same time: user id "+strconv.Itoa(os.Geteuid())) {
		t.Errorf("the other says %q", said)
	}
	holder.Wait()
	l.Unlock()
	last, notes, err := acquire(t, t.Context(), LockMode{NoWait: true})
	if w := last.Warning(); err != nil || notes != "" || w != nil {
		t.Errorf("%v, %s, %+v", err, notes, w)
	}
}

// TestOtherUserCame: a tare of another user that came and went while this one measured is noticed.
func TestOtherUserCame(t *testing.T) {
	useTemp(t, time.Minute)
	l, _, err := acquire(t, t.Context(), LockMode{})
	if w := l.Warning(); err != nil || w != nil {
		t.Fatal(err, w)
	}
	nested, said := start(t, stranger, "lock") // by the holder
	if !strings.HasPrefix(said, "false, <nil>,") || strings.Contains(said, "waiting") {
		t.Errorf("a process that the holder has started: %s", said)
	}
	nested.end()
	if w := l.Warning(); w != nil {
		t.Errorf("%+v", w)
	}
	for range 2 * maxQueued { // more than are queued
		if c, err := connect("lock"); err == nil {
			c.close()
		}
	}
	came, _ := start(t, stranger, "nolock")
	pid := came.Process.Pid
	came.end()
	came.Wait()
	if w := l.Warning(); w == nil || !strings.Contains(w.Text, fmt.Sprintf("user id %d, pid %d", stranger, pid)) {
		t.Errorf("%+v", w)
	}
}

// TestOtherUserEnds: a tare goes on when that of another user ends, also if it is killed.
func TestOtherUserEnds(t *testing.T) {
	useTemp(t, time.Minute)
	holder, _ := start(t, stranger, "lock")
	time.AfterFunc(300*time.Millisecond, func() { holder.Process.Kill() })
	l, notes, err := acquire(t, t.Context(), LockMode{})
	if w := l.Warning(); err != nil || l == nil || w != nil || !strings.Contains(notes, "waiting") || strings.Contains(notes, "beside") {
		t.Errorf("%v, %s, %+v", err, notes, w)
	}
}

// TestEndsWhileWaiting: whoever waits for another user ends when it shall.
func TestEndsWhileWaiting(t *testing.T) {
	useTemp(t, time.Minute)
	start(t, stranger, "silent")
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("a signal")
	time.AfterFunc(300*time.Millisecond, func() { cancel(why) })
	if _, _, err := acquire(t, ctx, LockMode{}); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
	if _, _, err := acquire(t, t.Context(), LockMode{NoWait: true}); err == nil || strings.Contains(err.Error(), "this user") {
		t.Errorf("the lock of the user was not given back: %v", err)
	}
}

// TestSquatters: another program that binds the names delays tare by userWait at most. tare does not wait at all for one
// that is known to run as the same user.
func TestSquatters(t *testing.T) {
	for _, uid := range []int{stranger, os.Geteuid()} {
		for _, act := range []string{"deaf", "silent", "garbage", "full"} {
			t.Run(fmt.Sprint(act, " ", uid), func(t *testing.T) {
				useTemp(t, 300*time.Millisecond)
				if _, said := start(t, uid, act); said != "<nil>" {
					t.Fatal(said)
				}
				l, notes, err := acquire(t, t.Context(), LockMode{})
				if err != nil || l.f == nil {
					t.Fatal(err, notes)
				}
				foreign := uid != os.Geteuid() && act != "deaf"
				if w := l.Warning(); (w != nil) != (foreign || act == "full") || strings.Contains(notes, "beside") != (w != nil) {
					t.Errorf("%+v\n%s", w, notes)
				}
				if strings.Contains(notes, "\x1b") {
					t.Errorf("%q", notes)
				}
				if _, _, err := acquire(t, t.Context(), LockMode{NoWait: true}); err == nil || !strings.Contains(err.Error(), "tare test, pid") {
					t.Errorf("the next of the same user: %v", err)
				}
			})
		}
	}
}

// TestOtherTemp: tares of different users see each other also if they have different directories of temporary files.
func TestOtherTemp(t *testing.T) {
	useTemp(t, time.Minute)
	holder, said := start(t, stranger, "lock")
	if !strings.HasPrefix(said, "true, <nil>") {
		t.Fatal(said)
	}
	t.Setenv("TMPDIR", t.TempDir())
	who := fmt.Sprintf("(user id %d, pid %d)", stranger, holder.Process.Pid)
	if _, _, err := acquire(t, t.Context(), LockMode{NoWait: true}); exit.As(err) == nil || !strings.Contains(err.Error(), who) {
		t.Errorf("%v, want %s", err, who)
	}
}

// TestSquattedByPipe: a pipe that a user may only read, and a directory of another, do not block.
func TestSquattedByPipe(t *testing.T) {
	useTemp(t, time.Minute)
	own := fmt.Sprintf("tare-%d", stranger)
	if err := os.Mkdir(filepath.Join(os.TempDir(), own), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tare.lock", "tare.running", own + "/tare.lock"} {
		if err := syscall.Mkfifo(filepath.Join(os.TempDir(), name), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	p, said := start(t, stranger, "lock", "HOME=", "XDG_CACHE_HOME=")
	if !strings.HasPrefix(said, "true, <nil>, tare: no lock of the machine: ") || !strings.HasSuffix(said, "; another tare may measure at the same time") {
		t.Errorf("%q", said)
	}
	p.end()
}

package nettest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// childVar is set in the process that is inside.
const childVar = "TARE_NETTEST"

// Inside reports whether this process is in namespaces of its own, whose loopback interface
// has these IPv4 addresses. If it is not, Inside runs the test again in such a process, fails
// t if that fails, and skips t where the kernel makes no such namespaces. Call it first in a
// test that has no subtests before it.
func Inside(t *testing.T, addresses ...string) bool {
	t.Helper()
	if os.Getenv(childVar) == t.Name() {
		up(t, addresses)
		return true
	}
	c := exec.Command("/proc/self/exe", "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$", "-test.v", "-test.timeout="+left(t).String())
	c.Env = append(os.Environ(), childVar+"="+t.Name())
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	switch {
	case err != nil && c.Process == nil && isRefusal(err):
		t.Skipf("this kernel makes no user and network namespaces for us: %v", err)
	case err != nil:
		t.Errorf("inside: %v\n%s", err, out)
	case !strings.Contains(string(out), "--- PASS: "+t.Name()+" ") && strings.Contains(string(out), "--- SKIP: "+t.Name()+" "):
		t.Skipf("inside:\n%s", out)
	case !strings.Contains(string(out), "--- PASS: "+t.Name()+" "):
		t.Errorf("inside the test did not run:\n%s", out)
	default:
		t.Logf("inside:\n%s", out)
	}
	return false
}

// left returns how long the test may take.
func left(t *testing.T) time.Duration {
	if end, ok := t.Deadline(); ok {
		return time.Until(end) * 9 / 10
	}
	return 0
}

func isRefusal(err error) bool {
	for _, e := range []error{syscall.EPERM, syscall.EACCES, syscall.ENOSPC, syscall.EUSERS, syscall.EINVAL, syscall.ENOSYS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// up starts the loopback interface and gives it addresses.
func up(t *testing.T, addresses []string) {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	set := func(name string, request uint, change func(*unix.Ifreq)) {
		r, err := unix.NewIfreq(name)
		if err == nil {
			change(r)
			err = unix.IoctlIfreq(fd, request, r)
		}
		if err != nil {
			t.Skipf("the loopback interface of the namespace cannot be changed: %v", err)
		}
	}
	set("lo", unix.SIOCSIFFLAGS, func(r *unix.Ifreq) { r.SetUint16(unix.IFF_UP) })
	for i, a := range addresses {
		ip, name := parse4(t, a), "lo:"+string(rune('a'+i))
		set(name, unix.SIOCSIFADDR, func(r *unix.Ifreq) { r.SetInet4Addr(ip) })
		set(name, unix.SIOCSIFNETMASK, func(r *unix.Ifreq) { r.SetInet4Addr([]byte{255, 255, 255, 255}) })
	}
}

// Names has this process, and those it starts, resolve host names by answer: the IPv4
// address of a name, or "" if there is none. Another goroutine calls it. It needs Inside.
func Names(t *testing.T, answer func(name string) string) {
	t.Helper()
	dir := t.TempDir()
	for path, text := range map[string]string{
		"/etc/resolv.conf":   "nameserver 127.0.0.1\noptions timeout:1\n",
		"/etc/nsswitch.conf": "hosts: dns\n",
	} {
		file := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err != nil {
			continue // Go's resolver asks names of dns then
		}
		if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
			t.Skipf("mounts of the namespace cannot be changed: %v", err)
		}
		if err := unix.Mount(file, path, "", unix.MS_BIND, ""); err != nil {
			t.Skipf("%s cannot be replaced: %v", path, err)
		}
	}
	serve(t, answer)
}

package servers

import (
	"os"
	"os/exec"
	"os/user"
	"testing"
)

// Memcached starts memcached with the arguments besides its own, as "-I", "2m".
func Memcached(t testing.TB, args ...string) *Server {
	t.Helper()
	path, addr := program(t, "memcached"), FreeAddr(t)
	return launch(t, &Server{
		Addr: addr,
		what: "memcached",
		ends: os.Kill,
		command: func() *exec.Cmd {
			own := []string{"-l", "127.0.0.1", "-p", port(addr), "-U", "0", "-m", "64"}
			if u, err := user.Current(); err == nil && u.Uid == "0" {
				own = append(own, "-u", "nobody") // it refuses to be root
			}
			return exec.Command(path, append(own, args...)...)
		},
		ready: func() error { return ask(addr, "version\r\n", "VERSION") },
	})
}

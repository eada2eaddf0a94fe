package servers

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Redis starts redis-server with the arguments besides its own, as
// "--requirepass", "secret". It keeps nothing on disk.
func Redis(t testing.TB, args ...string) *Server {
	t.Helper()
	path, addr, dir := program(t, "redis-server"), FreeAddr(t), tempDir(t, "redis")
	return launch(t, &Server{
		Addr: addr,
		what: "redis-server",
		ends: os.Kill,
		command: func() *exec.Cmd {
			own := []string{"--port", port(addr), "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--appendonly", "no"}
			return exec.Command(path, append(own, args...)...)
		},
		ready: func() error {
			if err := ask(addr, "PING\r\n", "+PONG"); err == nil {
				return nil
			}
			if err := ask(addr, "PING\r\n", "-NOAUTH"); err != nil {
				return fmt.Errorf("ping: %w", err)
			}
			return nil
		},
	})
}

package servers

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The owner of a database cluster that Postgres makes.
const (
	PostgresUser     = "tare"
	PostgresPassword = "sentinel-of-a-password"
)

// Postgres makes a database cluster, which takes some seconds, and starts
// postgres on it, with the arguments besides its own, as "-c", "work_mem=1MB".
// Its data survive Kill; they are not flushed to disk.
func Postgres(t testing.TB, args ...string) *Server {
	t.Helper()
	// Debian keeps the programs of each version in a folder of its own.
	const folders = "/usr/lib/postgresql/*/bin"
	initdb, path := program(t, "initdb", folders), program(t, "postgres", folders)
	addr, dir := FreeAddr(t), tempDir(t, "postgres")
	own := ownership(t, dir)
	data := filepath.Join(dir, "data")
	secret := filepath.Join(dir, "password")
	if err := os.WriteFile(secret, []byte(PostgresPassword), 0o644); err != nil {
		t.Fatal(err)
	}
	command := func(path string, args ...string) *exec.Cmd {
		cmd := exec.Command(path, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "LC_ALL=C")
		own(cmd)
		return cmd
	}
	p, err := start(command(initdb, "-D", data, "-U", PostgresUser, "--pwfile", secret, "--auth", "scram-sha-256",
		"-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions"))
	if err == nil {
		<-p.ended
		err = p.err
	}
	if err != nil {
		t.Fatalf("initdb: %v\n%s", err, p.output.Bytes())
	}
	return launch(t, &Server{
		Addr: addr,
		what: "postgres",
		ends: quit, // its children would outlive the end of their parent for a while
		command: func() *exec.Cmd {
			return command(path, append([]string{"-D", data, "-p", port(addr), "-k", dir, "-F",
				"-c", "listen_addresses=127.0.0.1", "-c", "shared_buffers=16MB", "-c", "autovacuum=off"}, args...)...)
		},
		ready: func() error { return askPostgres(addr) },
	})
}

// PostgresDSN returns the connection string for a server that Postgres started.
func PostgresDSN(addr string) string {
	return fmt.Sprintf("postgres://%s:%s@%s/postgres?sslmode=disable", PostgresUser, PostgresPassword, addr)
}

// askPostgres begins a session and ends it when asked for the password ("R"): a
// server that is still starting answers with an error ("E").
func askPostgres(addr string) error {
	const settings = "user\x00" + PostgresUser + "\x00database\x00postgres\x00\x00"
	size := byte(8 + len(settings))
	return ask(addr, "\x00\x00\x00"+string([]byte{size})+"\x00\x03\x00\x00"+settings, "R")
}

//go:build unix

package servers

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
	"testing"
)

// ownership gives a directory to a user that is not root, because postgres
// refuses to be it, and returns what has a command run as that user. Who is not
// root stays what he is.
func ownership(t testing.TB, dir string) func(*exec.Cmd) {
	t.Helper()
	if os.Geteuid() != 0 {
		return func(*exec.Cmd) {}
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err1 != nil || err2 != nil {
			continue
		}
		if err := os.Chown(dir, int(uid), int(gid)); err != nil {
			t.Fatal(err)
		}
		return func(cmd *exec.Cmd) {
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)},
			}
		}
	}
	missing(t, "there is no user postgres or nobody to run postgres as")
	return nil
}

package tempdir_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// TestBacked: all of a file has room on disk.
func TestBacked(t *testing.T) {
	const size = 5 << 20
	p, err := tempdir.File("what", nil, size)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Remove()
	var st syscall.Stat_t
	if err := syscall.Stat(p.Path, &st); err != nil || st.Blocks*512 < size {
		t.Errorf("%s: %d blocks, %v", p.Path, st.Blocks, err)
	}
}

// TestFull: where there is no room for a file there is a line that says so, and nothing
// of the file.
func TestFull(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"=full", "TMPDIR="+t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, // to mount what is full
		UidMappings: []syscall.SysProcIDMap{{Size: 1, HostID: os.Getuid()}},
		GidMappings: []syscall.SysProcIDMap{{Size: 1, HostID: os.Getgid()}},
	}
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil && len(out) == 0, strings.HasPrefix(string(out), "mount: "):
		t.Skipf("nothing can be mounted here: %v %s", err, out)
	case err != nil || len(out) > 0:
		t.Errorf("%v %s", err, out)
	}
}

// full is TestFull in a process that may mount.
func full() {
	small, roomy := filepath.Join(os.TempDir(), "small"), filepath.Join(os.TempDir(), "roomy")
	for dir, size := range map[string]string{small: "1m", roomy: "8m"} {
		os.Mkdir(dir, 0o777)
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
			fmt.Println("mount:", err)
			return
		}
	}
	_, err := tempdir.File("what", nil, 4<<20, small, small)
	if err == nil || strings.Count(err.Error(), "no space left on device") != 2 || strings.Contains(err.Error(), "\n") {
		fmt.Printf("%v, want what is wrong with both\n", err)
	}
	p, err := tempdir.File("what", nil, 4<<20, small, roomy)
	if err != nil || filepath.Dir(p.Path) != roomy {
		fmt.Printf("%v, %v, want it where there is room\n", p, err)
	}
	if left, err := os.ReadDir(small); err != nil || len(left) > 0 {
		fmt.Printf("left behind: %v, %v\n", left, err)
	}
}

package disasm

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// build builds the program of testdata for a machine, with its debug data.
func build(t testing.TB, arch string) *program {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
	if arch != runtime.GOARCH {
		testutil.NeedLong(t, "builds another standard library")
	}
	path := filepath.Join(t.TempDir(), "program-"+arch)
	cmd := exec.Command("go", "build", "-o", path, "./testdata/program")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build for %s: %v\n%s", arch, err, out)
	}
	return open(t, path)
}

// goCommand is the path of the go command, as far as its functions can be read.
func goCommand(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("the go command is large")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the go command is no ELF file")
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("go env: %v", err)
	}
	path := filepath.Join(string(out[:len(out)-1]), "bin", "go")
	if _, err := os.Stat(path); err != nil {
		t.Skip(err)
	}
	return path
}

//go:build unix

package hostile

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// PipeGrandchild leaves a process behind that holds the pipe open.
func BenchmarkPipeGrandchild(b *testing.B) {
	leaf(b)
	if said {
		return
	}
	say(b, `{"k":"hello","v":1,"from":"bench"}`+"\n"+`{"k":"warn","code":"mine","text":"said"}`+"\n")
	linger(b, &exec.Cmd{ExtraFiles: []*os.File{pipe(b)}})
}

// OutputGrandchild leaves a process behind that holds the output open.
func BenchmarkOutputGrandchild(b *testing.B) {
	leaf(b)
	if !said {
		linger(b, &exec.Cmd{Stdout: os.Stdout})
	}
}

// linger escapes the process group.
func linger(b *testing.B, cmd *exec.Cmd) {
	said = true
	path, err := exec.LookPath("sleep")
	if err != nil {
		b.Fatal(err)
	}
	cmd.Path, cmd.Args, cmd.SysProcAttr = path, []string{"sleep", "5"}, &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
}

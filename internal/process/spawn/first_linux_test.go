package spawn

import "testing"

// TestFirstThread: the CPU time of a process of one thread is that of its first one.
func TestFirstThread(t *testing.T) {
	l := start(t)
	res, err := l.Run(t.Context(), Spec{Path: "/bin/sh", Args: []string{"-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"}})
	if err != nil || res.ExitCode != 0 {
		t.Fatal(res, err)
	}
	used := res.User + res.Sys
	if res.FirstCPU <= 0 {
		t.Skip("this kernel does not tell")
	}
	if res.FirstCPU < used-used/10 || res.FirstCPU > used+used/10 || res.FirstDelay < 0 || res.FirstCPU+res.FirstDelay > res.Wall()+res.Wall()/10 {
		t.Errorf("first thread: %v, run delay %v; process: %v in %v", res.FirstCPU, res.FirstDelay, used, res.Wall())
	}
	res, err = l.Run(t.Context(), Spec{Path: "/bin/sh", Args: []string{"-c", "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; true"}})
	if used := res.User + res.Sys; err != nil || res.FirstCPU > used/2 {
		t.Errorf("the work is a child's, and the first thread's is %v of %v: %v", res.FirstCPU, used, err)
	}
}

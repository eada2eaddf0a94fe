//go:build linux

package agentrun_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestLocalAgentKilled: the end of a process that the controller has started is marked at once, and the others take over.
func TestLocalAgentKilled(t *testing.T) {
	h := &history{seed: 7, agents: 3, rate: 400, duration: 8 * time.Second, interval: 500 * time.Millisecond, policy: "redistribute"}
	w := &world{history: h, t: t, dir: t.TempDir(), truth: newTruth(t), stalls: watchStalls(t)}
	w.record = filepath.Join(w.dir, "run.jsonl")
	args := w.loadArgs()
	for i, arg := range args {
		switch arg {
		case "--agents":
			args[i+1] = "local:3"
		case "--agents-listen":
			args = args[:i] // with what follows
		}
	}
	w.controller = start(t, w.dir, "tare-full", append(args, "-o", w.record)...)
	<-w.truth.began
	time.Sleep(time.Second)
	agents := children(t, w.controller.cmd.Process.Pid)
	if len(agents) != 3 {
		t.Fatalf("%d agents were started", len(agents))
	}
	killed := time.Now()
	if err := syscall.Kill(agents[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if code := w.controller.code(60 * time.Second); code != 0 {
		t.Errorf("exit code %d", code)
	}
	marked, ok := w.controller.out.find("is lost: its process ended: signal: killed", killed)
	if !ok {
		t.Error("no agent is marked as killed")
	}
	t.Logf("marked after %s", marked.Sub(killed).Round(100*time.Microsecond))
	n := h.scheduled(t)
	for _, p := range w.truth.problems(n) {
		t.Error(p)
	}
	f := w.read(w.record)
	if f.whole == nil || f.whole.Scheduled != int64(n) || f.whole.Lost == 0 || int64(n)-w.truth.distinct() > f.whole.Lost+f.whole.Unsent+f.whole.Unfinished {
		t.Errorf("%d operations, %d seen: %+v", n, w.truth.distinct(), f.whole)
	}
	moved := false
	for _, a := range f.agents {
		moved = moved || len(a.Shares) == 2 && a.Shares[1].Of == 2
	}
	if !moved {
		t.Errorf("no agent took over: %+v", f.agents)
	}
	if t.Failed() {
		t.Log(w.controller.out)
	}
}

// children returns the processes that a process has started.
func children(t *testing.T, pid int) (all []int) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(tasks) == 0 {
		t.Skip("this kernel does not list children")
	}
	for _, task := range tasks {
		text, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(text)) {
			if n, err := strconv.Atoi(field); err == nil {
				all = append(all, n)
			}
		}
	}
	return all
}

//go:build linux || darwin

package agentrun_test

import (
	"fmt"
	"path/filepath"
	"time"
)

// resume gathers what the agents kept when their controller was killed.
func (w *world) resume() {
	agents := 0
	for i := range w.agents {
		select {
		case <-w.agent(i).ended:
		default:
			agents++
		}
	}
	if agents == 0 {
		return
	}
	if w.external {
		select {
		case <-w.server.ended:
			w.t.Fatal("the server has ended")
		default:
		}
	}
	out := filepath.Join(w.dir, "resumed.jsonl")
	args := append([]string{"load", "--resume", w.record, "--agents", fmt.Sprint(agents), "-o", out, "--progress", "plain"}, w.connectArgs()...)
	if agents < w.history.agents {
		time.Sleep(time.Second)
	}
	w.controller = start(w.t, w.dir, "tare-full", args...)
	code := w.controller.code(60 * time.Second)
	if late := w.truth.lastSeen().Sub(w.dead); late > 5*time.Second {
		w.t.Errorf("operations were sent until %s after the controller was killed", late)
	} else {
		w.t.Logf("the last operation came %s after the controller was killed", late.Round(time.Millisecond))
	}
	w.check(out, code)
}

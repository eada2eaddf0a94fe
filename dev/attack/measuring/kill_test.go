//go:build linux

package measuring

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/dev/attack/tally"
	"github.com/tarebench/tare/dev/attack/target"
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/process/spawn"
)

const forkLine = `{"k":"fork","id":%d,"purpose":"timing","state":"ok"}` + "\n"

// TestRead: only what is complete and measured counts.
func TestRead(t *testing.T) {
	var h hist.Histogram
	h.RecordN(1000, 42)
	payload, err := h.Encode()
	if err != nil {
		t.Fatal(err)
	}
	data := base64.StdEncoding.EncodeToString(payload)
	path := filepath.Join(t.TempDir(), record)
	text := `{"k":"run","kind":"bench"}` + "\n" + fmt.Sprintf(forkLine, 1) + strings.Replace(fmt.Sprintf(forkLine, 2), `"ok"`, `"ok","starved":true`, 1) +
		`{"k":"fork","purpose":"pilot","state":"ok"}` + "\n" + `{"k":"fork","purpose":"timing","state":"failed"}` + "\n" +
		`{"k":"load","phase":"warmup"}` + "\n" + `{"k":"hist","tag":"response","data":"` + data + `"}` + "\n" +
		`{"k":"load","phase":"run"}` + "\n" + `{"k":"hist","tag":"response","data":"` + data + `"}` + "\n" + `{"k":"hist","tag":"service","data":"` + data + `"}` + "\n" +
		`{"k":"load","phase":"run"}` + "\n" + `{"k":"hist","tag":"response","data":"` + data + `"}` + "\n" +
		fmt.Sprintf(forkLine, 3)[:20]
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := read(path)
	if err != nil || w.forks != 2 || w.starved != 1 || w.responses != 42 || w.lines != 12 || w.ended {
		t.Errorf("%d forks, %d responses, %d lines, ended %v, %v", w.forks, w.responses, w.lines, w.ended, err)
	}
	if w, err := read(filepath.Join(t.TempDir(), "none")); err != nil || w.lines != 0 {
		t.Errorf("of no file: %+v, %v", w, err)
	}
}

// TestLost: a report that shows fewer lines, forks or operations than were written is found, one that has nothing of a
// profile, too, and one that shows all is not.
func TestLost(t *testing.T) {
	dir := t.TempDir()
	launcher, err := spawn.Start(context.Background(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer launcher.Close()
	bench, load := verb{name: "bench", forks: true}, verb{name: "load", load: true}
	contrast := verb{name: "contrast", profiles: []string{"trace", "sample"}}
	steps := `{"latencies":[{"kind":"response","count":5}],"steps":[{"latencies":[{"kind":"response","count":40},{"kind":"service","count":99}]},{"latencies":[{"kind":"response","count":5}]}]}`
	const forks = "BenchmarkA 1 2 ns/op\nBenchmarkA 1 2 ns/op\n"
	both := map[string]int{"trace": 1, "sample": 1}
	for n, c := range []struct {
		verb    verb
		w       written
		lines   int    // that can be read
		report  string // in the verb's format
		message string
	}{
		{bench, written{lines: 4, forks: 2}, 4, forks, ""},
		{bench, written{lines: 4, forks: 3}, 4, forks, "3 forks that count are in the record, and 2 in the report"},
		{bench, written{lines: 4, forks: 3, starved: 1}, 4, forks, ""},
		{bench, written{lines: 4, forks: 2}, 3, forks, "4 lines are in the record, and 3 can be read"},
		{load, written{lines: 1, responses: 45}, 1, steps, ""},
		{load, written{lines: 1, responses: 46}, 1, steps, "46 operations are in the record, and 45 in the report"},
		{contrast, written{lines: 1, profiled: both}, 1, "{}", ""},
		{contrast, written{lines: 1, profiled: both}, 1, "", "none in the report"},
		{contrast, written{lines: 1, profiled: map[string]int{"trace": 1}}, 1, "", ""}, // killed between the two
	} {
		command := filepath.Join(dir, fmt.Sprint("command", n))
		text := fmt.Sprintf("#!/bin/sh\nif [ $3 = jsonl ]; then printf '%s'; else cat <<'END'\n%s\nEND\nfi\n", strings.Repeat("{}\\n", c.lines), c.report)
		if err := os.WriteFile(command, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
		a := &attack{
			Config: target.Config{Tare: command, Work: dir, Log: io.Discard}, verb: c.verb,
			row: tally.NewRow("kill " + c.verb.name), launcher: launcher,
		}
		p, err := a.prepare()
		if err != nil {
			t.Fatal(err)
		}
		text, err = a.lost(context.Background(), p, c.w)
		if err != nil || (text == "") != (c.message == "") || !strings.Contains(text, c.message) {
			t.Errorf("%s, %+v: %q, %v, want %q", c.verb.name, c.w, text, err, c.message)
		}
	}
}

// TestMarked: a process is found by its environment for as long as it lives, and not longer.
func TestMarked(t *testing.T) {
	mark := "ATTACK_TEST_MARK=" + t.TempDir()
	cmd := exec.Command("cat")
	cmd.Env = append(os.Environ(), mark)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if pids := marked(mark); len(pids) != 1 || pids[0] != cmd.Process.Pid || name(pids[0]) != "cat" {
		t.Errorf("found %v, want %d", pids, cmd.Process.Pid)
	}
	if left := gone(mark, 0); len(left) != 1 {
		t.Errorf("%v are left, want one", left)
	}
	in.Close()
	cmd.Wait()
	if left := gone(mark, time.Minute); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// TestLeftovers: what all runs share is not left by one.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	own := fmt.Sprintf("tare-%d", os.Geteuid())
	if err := os.Mkdir(filepath.Join(dir, own), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{own + "/tare.lock", own + "/tare.running", "tare-run-1"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if left := leftovers(dir); len(left) != 1 || left[0] != "tare-run-1" {
		t.Errorf("%q are left", left)
	}
}

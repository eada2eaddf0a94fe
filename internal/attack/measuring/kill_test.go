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

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/attack/tally"
	"github.com/tarebench/tare/internal/attack/target"
	"github.com/tarebench/tare/internal/spawn"
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
	text := `{"k":"run","kind":"bench"}` + "\n" + fmt.Sprintf(forkLine, 1) + fmt.Sprintf(forkLine, 2) +
		`{"k":"fork","purpose":"pilot","state":"ok"}` + "\n" + `{"k":"fork","purpose":"timing","state":"failed"}` + "\n" +
		`{"k":"load","phase":"warmup"}` + "\n" + `{"k":"hist","tag":"response","data":"` + data + `"}` + "\n" +
		`{"k":"load","phase":"run"}` + "\n" + `{"k":"hist","tag":"response","data":"` + data + `"}` + "\n" + `{"k":"hist","tag":"service","data":"` + data + `"}` + "\n" +
		`{"k":"load","phase":"run"}` + "\n" + `{"k":"hist","tag":"response","data":"` + data + `"}` + "\n" +
		fmt.Sprintf(forkLine, 3)[:20]
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := read(path)
	if err != nil || w.forks != 2 || w.responses != 42 || w.lines != 12 || w.ended {
		t.Errorf("%d forks, %d responses, %d lines, ended %v, %v", w.forks, w.responses, w.lines, w.ended, err)
	}
	if w, err := read(filepath.Join(t.TempDir(), "none")); err != nil || w.lines != 0 {
		t.Errorf("of no file: %+v, %v", w, err)
	}
}

// TestLost: a report that shows fewer forks than were written is found, and one that shows all is not.
func TestLost(t *testing.T) {
	dir := t.TempDir()
	launcher, err := spawn.Start(context.Background(), spawn.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer launcher.Close()
	for shown, lost := range map[int]bool{3: false, 2: true} {
		command := filepath.Join(dir, fmt.Sprint("command", shown))
		text := "#!/bin/sh\n" + strings.Repeat("echo 'BenchmarkA 1 2 ns/op'\n", shown)
		if err := os.WriteFile(command, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
		a := &attack{
			Config: target.Config{Tare: command, Work: dir, Log: io.Discard}, verb: verb{name: "bench", forks: true},
			row: tally.NewRow("kill bench"), launcher: launcher,
		}
		p, err := a.prepare()
		if err != nil {
			t.Fatal(err)
		}
		text, err = a.lost(context.Background(), p, written{lines: 4, forks: 3})
		if err != nil || (text != "") != lost {
			t.Errorf("3 forks written, %d shown: %q, %v", shown, text, err)
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

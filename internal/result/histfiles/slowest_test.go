package histfiles

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSlowest: each run of each file has its list, and what has none says why.
func TestSlowest(t *testing.T) {
	head := `{"k":"run","v":1,"kind":"load","tare":"v1","start":"2026-01-02T03:04:05Z","mono":0,"seed":"0","config":{"packages":[],"load":{"db":"mem","arrivals":"closed loop","workers":1,"clock":"tsc","interval":1,"kinds":["READ"]}},"env":{"os":"linux","arch":"amd64"}}` + "\n"
	line := `{"k":"load","phase":"run","final":true,"start":1000,"length":10,"did":1,"scheduled":1,"started":1,"completed":1,"dropped":0,"unsent":0,"unfinished":0,"backlog_max":0,"workers":1,"cpu":0` // open
	slow := `,"slowest":[{"op":"READ","n":3,"due":5,"start":6,"end":9,"key":"https://me:hunter2@h/x"}]}` + "\n"
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, text string
		lists      int
		bad        string
	}{
		{"whole.jsonl", head + line + slow, 1, ""},
		{"damaged.jsonl", head + line + slow + `{"k":"load",`, 1, "cut off"},
		{"none.jsonl", head + line + "}\n", 0, "lists no slowest operations"},
		{"cut.jsonl", head, 0, "lists no slowest operations: the run was cut off"},
		{"bench.jsonl", strings.Replace(head, `"kind":"load"`, `"kind":"bench"`, 1), 0, "is a record of tare bench, which lists no operations"},
		{"log.hlog", "#[Histogram log format version 1.3]\n", 0, "a log of histograms has no single operations"},
		{"empty", "", 0, "no single operations"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, err := Open(Config{Files: []string{file(c.name, c.text)}}).Slowest()
			if len(all) != c.lists || (err == nil) != (c.bad == "") || err != nil && !strings.Contains(err.Error(), c.bad) {
				t.Fatalf("%+v, %v", all, err)
			}
			if c.lists == 0 {
				return
			}
			o := all[0].Operations[0]
			if !all[0].ClosedLoop || o.K != 3 || o.Response() != 4 || o.Service() != 3 || o.Key != "https://me:***@h/x" {
				t.Errorf("%+v", all[0])
			}
		})
	}
	both := []string{filepath.Join(dir, "none.jsonl"), filepath.Join(dir, "whole.jsonl")}
	if all, err := Open(Config{Files: both}).Slowest(); len(all) != 1 || err == nil {
		t.Errorf("of two files: %+v, %v", all, err)
	}
}

//go:build unix

package session

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestRemoveOldest: records of killed runs that are empty go first, then the oldest of completed runs. What others have
// named stays, and what can be resumed.
func TestRemoveOldest(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	put := func(name, text string, age time.Duration) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	record := func(i int) string { return fmt.Sprintf("tare-20260102-0304%02d-fe-%d.jsonl", i, i) }
	theirs := []string{put("tare-results.jsonl", "", time.Hour), put("tare-2026.jsonl", "x", time.Hour), put("x.jsonl", "", time.Hour)}
	const completed = "x\n" + `{"k":"end","state":"completed"}` + "\n"
	for i := range keptRuns {
		put(record(i), completed, time.Hour)
	}
	var resumable []string
	for i := range keptRuns - 2 { // with the young one there are keptRuns - 1
		text := []string{"x", "x\n" + `{"k":"end","state":"partial"}` + "\n", `{"k":"end","state":"completed"}` + "\nx\n"}[i%3]
		resumable = append(resumable, put(fmt.Sprintf("tare-20260101-0000%02d-fe-%d.jsonl", i, i), text, 2*time.Hour))
	}
	empty, young, used := put(record(30), "", time.Hour), put(record(31), "", 0), put(record(32), "", time.Hour)
	f, err := os.OpenFile(used, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := claimRecord(f); err != nil {
		t.Fatal(err)
	}
	removeOldest(dir, now)
	there := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	for _, path := range append(append(theirs, resumable...), young, used) {
		if !there(path) {
			t.Errorf("%s is gone", filepath.Base(path))
		}
	}
	if there(empty) {
		t.Error("an empty record of a killed run is still there")
	}
	for i := range keptRuns {
		if got, want := there(filepath.Join(dir, record(i))), i >= 1; got != want {
			t.Errorf("record %d: there %v, want %v", i, got, want)
		}
	}
}

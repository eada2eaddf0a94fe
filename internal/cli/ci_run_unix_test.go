//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tarebench/tare/internal/show/subjects/citext"
)

// TestReportDirPlanted: what somebody has put into the directory of tare ci, or in its place, is neither followed nor
// waited for.
func TestReportDirPlanted(t *testing.T) {
	victim := filepath.Join(t.TempDir(), "victim")
	link := func(path string) error { return os.Symlink(victim, path) }
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o600) }
	for what, plant := range map[string]func(path string) error{"link": link, "pipe": pipe} {
		for _, name := range []string{".gitignore", ciSummary, ciJUnit, ciReport} {
			dir := filepath.Join(t.TempDir(), "reports")
			r := &ciRun{ciFlags: &ciFlags{dir: dir}}
			if err := r.openDir(); err != nil {
				t.Fatal(err)
			}
			os.Remove(filepath.Join(dir, name))
			if err := errors.Join(os.WriteFile(victim, []byte(ciMark), 0o600), plant(filepath.Join(dir, name))); err != nil {
				t.Skip(err)
			}
			if err := r.openDir(); (err != nil) != (name == ".gitignore") || err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %s before the run: %v", what, name, err)
			}
			os.Remove(filepath.Join(dir, name))
			if err := plant(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			r.summary = citext.Summary{Base: strings.Repeat("0", 40), Failed: "for a test"}
			t.Setenv("GITHUB_STEP_SUMMARY", "")
			t.Setenv("GITHUB_OUTPUT", "")
			if err := r.write(nil); err != nil {
				t.Errorf("%s %s after the run: %v", what, name, err)
			}
			if st, err := os.Lstat(filepath.Join(dir, ciSummary)); err != nil || !st.Mode().IsRegular() {
				t.Errorf("%s %s: %v, %v", what, name, st, err)
			}
			if text, err := os.ReadFile(victim); string(text) != ciMark || err != nil {
				t.Errorf("%s %s: the victim's file: %q, %v", what, name, text, err)
			}
		}
	}
}

// TestReportDirIsLink: the directory of tare ci is not a link that another user has put in a shared directory.
func TestReportDirIsLink(t *testing.T) {
	shared, home := t.TempDir(), t.TempDir()
	dir := filepath.Join(shared, "reports")
	if err := errors.Join(os.Chmod(shared, 0o777|os.ModeSticky), os.Symlink(home, dir), os.Lchown(dir, 65534, -1)); err != nil {
		t.Skip(err)
	}
	r := &ciRun{ciFlags: &ciFlags{dir: dir}}
	if err := r.openDir(); err == nil || !strings.Contains(err.Error(), "is a link of user id 65534") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
	if list, err := os.ReadDir(home); len(list) > 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
}

package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/cli/forge"
	"github.com/tarebench/tare/internal/testkit/forgetest"
)

// commented is a forge, and a summary to post there.
func commented(t *testing.T, summary string) (f *forgetest.Forge, file string) {
	t.Helper()
	f = forgetest.New(t)
	for name, value := range map[string]string{"GITHUB_API_URL": f.URL, "GITHUB_TOKEN": forgetest.Token, "GITHUB_REPOSITORY": "o/r", "GITHUB_EVENT_PATH": ""} {
		t.Setenv(name, value)
	}
	file = filepath.Join(t.TempDir(), "summary.md")
	if err := os.WriteFile(file, []byte(summary), 0o666); err != nil {
		t.Fatal(err)
	}
	return f, file
}

func withEvent(t *testing.T, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GITHUB_EVENT_PATH", path)
}

// TestCIComment: one comment, replaced wherever it is, on the pull request of the event.
func TestCIComment(t *testing.T) {
	f, file := commented(t, "### tare: 1 gate missed\n\n@alice | a | b |\n")
	for range 250 {
		f.Comment("bob", "chatter")
	}
	withEvent(t, `{"pull_request":{"number":7}}`)
	for range 2 {
		code, out, messages := run("", "ci", "comment", "--summary", file)
		if code != 0 || messages != "" || !strings.Contains(out, "/o/r/pull/7#251") {
			t.Fatalf("exit %d, %s, %s", code, out, messages)
		}
	}
	if f.Count() != 251 || f.Body(251) != forge.Marker("tare")+"\n### tare: 1 gate missed\n\n`@alice` &#124; a &#124; b &#124;\n" {
		t.Errorf("%d comments, %q", f.Count(), f.Body(251))
	}
	if code, _, messages := run("", "ci", "comment", "--summary", file, "--comment", "nightly"); code != 0 || f.Count() != 252 {
		t.Errorf("another name: exit %d, %s, %d comments", code, messages, f.Count())
	}
}

// TestCICommentFork: after the workflow of a fork the pull request is the one whose last commit was measured.
func TestCICommentFork(t *testing.T) {
	f, file := commented(t, "### tare: no regression\n")
	f.Pull(3, "carol:topic", "1111")
	f.Pull(7, "carol:topic", "2222")
	event := `{"workflow_run":{"event":"pull_request","head_branch":"topic","head_sha":"%s","head_repository":{"owner":{"login":"carol"}},"pull_requests":[]}}`
	withEvent(t, fmt.Sprintf(event, "2222"))
	if code, out, messages := run("", "ci", "comment", "--summary", file); code != 0 || f.Count() != 1 {
		t.Errorf("exit %d, %s, %s", code, out, messages)
	}
	withEvent(t, fmt.Sprintf(event, "3333"))
	if code, _, messages := run("", "ci", "comment", "--summary", file); code != 0 || !strings.Contains(messages, "no open pull request from carol:topic") || f.Count() != 1 {
		t.Errorf("newer commits: exit %d, %s", code, messages)
	}
}

// TestCICommentFails: a comment that cannot be posted fails no check, and no message has the token.
func TestCICommentFails(t *testing.T) {
	f, file := commented(t, "### tare: no regression\n"+strings.Repeat("| row |\n", 20_000))
	f.ReadOnly = true
	code, _, messages := run("", "ci", "comment", "--summary", file, "--pr", "7")
	if code != 0 || !strings.Contains(messages, "status 403") || !strings.Contains(messages, "pull-requests: write") {
		t.Errorf("read-only: exit %d, %s", code, messages)
	}
	f.ReadOnly = false
	if code, _, messages := run("", "ci", "comment", "--summary", file, "--pr", "7"); code != 0 || f.Count() != 1 || len(f.Body(1)) > 65_536 {
		t.Errorf("oversized: exit %d, %s", code, messages)
	}
	for _, c := range []struct{ name, value, want string }{
		{"GITHUB_TOKEN", "another-wrong-token", "status 401"},
		{"GITHUB_API_URL", "http://api.example.org", "no TLS"},
		{"GITHUB_REPOSITORY", "x", "owner/name"},
	} {
		before := os.Getenv(c.name)
		t.Setenv(c.name, c.value)
		code, _, messages := run("", "ci", "comment", "--summary", file, "--pr", "7")
		if code != 0 || !strings.Contains(messages, c.want) || strings.Contains(messages, forgetest.Token) || strings.Contains(messages, "another-wrong-token") {
			t.Errorf("%s=%s: exit %d, %s", c.name, c.value, code, messages)
		}
		t.Setenv(c.name, before)
	}
	withEvent(t, "{\"pull_request\": 7")
	if code, _, messages := run("", "ci", "comment", "--summary", file); code != 0 || !strings.Contains(messages, "the file of the event") {
		t.Errorf("garbage: exit %d, %s", code, messages)
	}
	withEvent(t, "{}")
	if code, _, messages := run("", "ci", "comment", "--summary", file); code != 0 || !strings.Contains(messages, "has no pull request; give --pr") {
		t.Errorf("no pull request: exit %d, %s", code, messages)
	}
}

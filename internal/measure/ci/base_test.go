package ci

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/golang/build"
)

// scene is a remote repository and clones of it, as forges make them.
type scene struct {
	t      *testing.T
	dir    string // of the remote
	commit map[string]string
}

func (s *scene) git(dir string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (s *scene) add(name string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(name), 0o666); err != nil {
		s.t.Fatal(err)
	}
	s.git(s.dir, "add", "-A")
	s.git(s.dir, "commit", "-qm", name)
	s.commit[name] = s.git(s.dir, "rev-parse", "HEAD")
}

// newScene makes main with 30 commits, of which the branch topic left at the tenth and has 25 of its own, and the merge
// commit of both that GitHub makes.
func newScene(t *testing.T) *scene {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	s := &scene{t: t, dir: t.TempDir(), commit: map[string]string{}}
	s.git(s.dir, "init", "-q")
	for i := range 10 {
		s.add(fmt.Sprintf("main%d", i))
	}
	s.git(s.dir, "checkout", "-qb", "topic")
	for i := range 25 {
		s.add(fmt.Sprintf("topic%d", i))
	}
	s.git(s.dir, "checkout", "-q", "main")
	for i := 10; i < 30; i++ {
		s.add(fmt.Sprintf("main%d", i))
	}
	s.git(s.dir, "checkout", "-q", "--detach")
	s.git(s.dir, "merge", "-q", "--no-ff", "-m", "merge", "topic")
	s.commit["merge"] = s.git(s.dir, "rev-parse", "HEAD")
	s.git(s.dir, "update-ref", "refs/pull/7/merge", "HEAD")
	s.git(s.dir, "checkout", "-q", "main")
	return s
}

// checkout clones as actions/checkout and GitLab do: one ref, of a depth; 0 is all.
func (s *scene) checkout(ref string, depth int) *build.Repository {
	s.t.Helper()
	dir := s.t.TempDir()
	s.git(dir, "init", "-q")
	s.git(dir, "remote", "add", "origin", "file://"+s.dir)
	args := []string{"fetch", "-q", "--no-tags", "origin", "+" + ref + ":refs/remotes/origin/checked"}
	if depth > 0 {
		args = append(args, fmt.Sprintf("--depth=%d", depth))
	} else {
		args = append(args, "+refs/heads/*:refs/remotes/origin/*")
	}
	s.git(dir, args...)
	s.git(dir, "checkout", "-q", "--detach", "refs/remotes/origin/checked")
	repo, err := build.FindRepository(s.t.Context(), dir)
	if err != nil {
		s.t.Fatal(err)
	}
	return repo
}

func (s *scene) event(v any) string {
	s.t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		s.t.Fatal(err)
	}
	path := filepath.Join(s.t.TempDir(), "event.json")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// TestFindBase: the base is found in full clones and in shallow ones, of each forge and of none.
func TestFindBase(t *testing.T) {
	s := newScene(t)
	at := func(name string) string { return s.commit[name] }
	pull := s.event(map[string]any{"pull_request": map[string]any{
		"number": 7, "base": map[string]any{"sha": at("main29"), "ref": "main"}, "head": map[string]any{"sha": at("topic24"), "ref": "topic"},
	}})
	push := s.event(map[string]any{"before": at("main20")})
	created := s.event(map[string]any{"before": strings.Repeat("0", 40)})
	garbage := filepath.Join(t.TempDir(), "garbage.json")
	if err := os.WriteFile(garbage, []byte("{\"pull_request\": [\x00"), 0o666); err != nil {
		t.Fatal(err)
	}
	github := func(event string, more ...string) map[string]string {
		env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": event}
		for i := 0; i < len(more); i += 2 {
			env[more[i]] = more[i+1]
		}
		return env
	}
	for _, c := range []struct {
		name, ref string
		depth     int
		env       map[string]string
		given     string
		fallback  string
		want      string // name of a commit, or an error
	}{
		{"merge commit", "refs/pull/7/merge", 0, github(pull), "", "", "main29"},
		{"merge commit, depth 2", "refs/pull/7/merge", 2, github(pull), "", "", "main29"},
		{"merge commit, depth 1", "refs/pull/7/merge", 1, github(pull), "", "", "main29"},
		{"head of the branch", "refs/heads/topic", 0, github(pull), "", "", "main9"},
		{"head of the branch, depth 1", "refs/heads/topic", 1, github(pull), "", "", "main9"},
		{"push", "refs/heads/main", 1, github(push), "", "", "main20"},
		{"new branch", "refs/heads/topic", 0, github(created), "", "", "main9"},
		{"garbage", "refs/heads/topic", 0, github(garbage, "GITHUB_BASE_REF", "main"), "", "", "main9"},
		{"no event file", "refs/heads/topic", 0, github("/nowhere/event.json"), "", "", "main9"},
		{"merge request", "refs/heads/topic", 1, map[string]string{"CI_MERGE_REQUEST_DIFF_BASE_SHA": at("main9")}, "", "", "main9"},
		{"no forge", "refs/heads/topic", 0, nil, "", "", "main9"},
		{"no forge, on the default branch", "refs/heads/main", 0, nil, "", "", "main28"},
		{"the team's file", "refs/heads/topic", 0, nil, "", "main", "main9"},
		{"typed", "refs/heads/topic", 0, github(pull), "origin/main", "", "main29"},
		{"typed, to be fetched", "refs/heads/topic", 1, nil, "main", "", "main29"},
		{"typed, and not there", "refs/heads/topic", 1, nil, "nosuch", "", "no such revision"},
		{"a dash", "refs/heads/topic", 1, nil, "--upload-pack=x", "", "no such revision"},
		{"shallow, and no forge", "refs/heads/topic", 1, nil, "", "", "no base to compare with was found"},
		{"garbage in shallow", "refs/heads/topic", 1, github(garbage), "", "", "no base to compare with was found"},
		{"the base is HEAD", "refs/heads/main", 0, github(s.event(map[string]any{"before": at("main29")})), "", "", "there is no change to measure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.t = t
			repo := s.checkout(c.ref, c.depth)
			var notes []string
			b, err := FindBase(t.Context(), repo, Request{
				Given: c.given, Fallback: c.fallback, Env: func(k string) string { return c.env[k] },
				Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) },
			})
			switch want, is := s.commit[c.want]; {
			case !is && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%+v, %v; notes %q", b, err, notes)
			case is && (err != nil || b.Commit != want):
				t.Errorf("%+v, %v, want %s %s; notes %q", b, err, c.want, want, notes)
			}
			if c.depth == 0 {
				if is, _ := repo.Git(t.Context(), "rev-parse", "--is-shallow-repository"); is != "false" {
					t.Error("a full clone was cut off")
				}
			}
		})
	}
}

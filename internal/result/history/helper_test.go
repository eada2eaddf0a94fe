package history

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// seeded returns a source whose seed the test prints.
func seeded(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

func hash(n uint64) string { return fmt.Sprintf("%040x", n) }

// entryOf returns an entry of a few benchmarks.
func entryOf(r *rand.Rand, commit string, benchmarks, forks int) *Entry {
	e := &Entry{
		Commit: commit, Tree: hash(r.Uint64()), Time: time.Unix(1_700_000_000+int64(r.IntN(1e6)), 0).UTC(), Machine: "0123456789ab", Described: "a CPU · 2 cores",
		Toolchain: "go1.26.8", Settings: map[string]string{"GOAMD64": "v1"}, Sequence: fmt.Sprint(r.Uint64()),
	}
	for i := range benchmarks {
		s := Series{Key: Key{Pkg: "example.com/m/p", Name: fmt.Sprintf("Work/n=%d", i), Procs: 2}, Unit: "ns/op", Main: true, Better: "lower", N: 1000, Bin: hash(r.Uint64())[24:]}
		for range forks {
			s.Values = append(s.Values, 1e5*(1+0.05*r.NormFloat64()))
		}
		e.Series = append(e.Series, s)
	}
	return e
}

// repository returns a new repository without a commit.
func repository(t testing.TB) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	run(t, dir, "init", "-q", "-b", "main")
	config, err := os.OpenFile(filepath.Join(dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer config.Close()
	// Nothing of it need survive a loss of power, and git need not look after each push whether there is much to collect.
	if _, err := config.WriteString("[core]\n\tfsync = none\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[receive]\n\tautogc = false\n"); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run runs git as a user does.
func run(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=t", "-c", "user.email=t@example.org"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// bare returns a repository to push to, as a URL, so that git uses its transport.
func bare(t testing.TB) string {
	dir := repository(t)
	run(t, dir, "config", "core.bare", "true")
	return "file://" + dir
}

func openRef(t testing.TB, dir string) *Ref {
	t.Helper()
	s, err := OpenRef(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func add(t testing.TB, s Store, entries ...*Entry) {
	t.Helper()
	n, err := s.Add(context.Background(), entries)
	if err != nil || n != len(entries) {
		t.Fatalf("added %d of %d: %v", n, len(entries), err)
	}
}

// readAll returns all entries of a store, by commit, and its damage.
func readAll(t testing.TB, s Store) (map[string][]*Entry, []Damage) {
	t.Helper()
	files, damage, err := s.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]*Entry{}
	more, err := s.Read(context.Background(), files, nil, func(f File, e *Entry) { out[f.Commit] = append(out[f.Commit], e) })
	if err != nil {
		t.Fatal(err)
	}
	return out, append(damage, more...)
}

// commits returns the sorted commits that a store has entries of.
func commits(t testing.TB, s Store) []string {
	t.Helper()
	all, damage := readAll(t, s)
	if len(damage) > 0 {
		t.Fatalf("damage: %v", damage)
	}
	var out []string
	for c := range all {
		out = append(out, c)
	}
	slices.Sort(out)
	return out
}

func wantCommits(t testing.TB, s Store, want ...uint64) {
	t.Helper()
	var names []string
	for _, n := range want {
		names = append(names, hash(n))
	}
	slices.Sort(names)
	if got := commits(t, s); !slices.Equal(got, names) {
		t.Errorf("%s has %d commits, want %d: %.12s", s, len(got), len(names), got)
	}
}

func long(t testing.TB) {
	t.Helper()
	testutil.NeedLong(t, "many writers and commits")
}

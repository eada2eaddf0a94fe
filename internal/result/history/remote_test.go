package history

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// clone returns a store in a new clone, which is empty but for what it fetches.
func cloneOf(t testing.TB, remote string) *Ref {
	dir := repository(t)
	run(t, dir, "remote", "add", "origin", remote)
	return openRef(t, dir)
}

func push(t testing.TB, s *Ref) {
	t.Helper()
	if err := s.Push(context.Background(), "origin"); err != nil {
		t.Fatal(err)
	}
}

func fetch(t testing.TB, s *Ref) {
	t.Helper()
	if err := s.Fetch(context.Background(), "origin"); err != nil {
		t.Fatal(err)
	}
}

// TestConcurrentWriters: six clones push twice each, at once, and nothing is lost. What a clone loses
// before its last push, that push repairs.
func TestConcurrentWriters(t *testing.T) {
	const clones, pushes = 6, 2
	remote := bare(t)
	var wg sync.WaitGroup
	var want []uint64
	for c := range clones {
		s, r := cloneOf(t, remote), seeded(t)
		for i := range pushes {
			want = append(want, uint64(c*pushes+i))
		}
		wg.Go(func() {
			for i := range pushes {
				if _, err := s.Add(context.Background(), []*Entry{entryOf(r, hash(uint64(c*pushes+i)), 1, 3)}); err != nil {
					t.Error(err)
				}
				if err := s.Push(context.Background(), "origin"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	s := cloneOf(t, remote)
	fetch(t, s)
	wantCommits(t, s, want...)
}

// TestConcurrentAdds: several processes add to one repository at once.
func TestConcurrentAdds(t *testing.T) {
	dir := repository(t)
	var wg sync.WaitGroup
	var want []uint64
	for c := range 6 {
		s, r := openRef(t, dir), seeded(t)
		for i := range 5 {
			want = append(want, uint64(5*c+i))
		}
		wg.Go(func() {
			for i := range 5 {
				if _, err := s.Add(context.Background(), []*Entry{entryOf(r, hash(uint64(5*c+i)), 1, 3)}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	wantCommits(t, openRef(t, dir), want...)
}

// TestMadeMeanwhile: another process makes the ref after git has said that there is none, and before its file is looked for.
func TestMadeMeanwhile(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell here")
	}
	r, dir, bin := seeded(t), repository(t), t.TempDir()
	s := openRef(t, dir)
	add(t, s, entryOf(r, hash(0), 1, 3))
	commit := run(t, dir, "rev-parse", DefaultRef)
	run(t, dir, "update-ref", "-d", DefaultRef)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\ncase \"$*\" in *--git-path*) '%s' -C '%s' update-ref %s %s;; esac\nexec '%[1]s' \"$@\"\n", git, dir, DefaultRef, commit)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	add(t, s, entryOf(r, hash(1), 1, 3))
	wantCommits(t, s, 0, 1)
}

// TestShallow: a clone with one commit of the history reads all entries, and its own arrive.
func TestShallow(t *testing.T) {
	r, remote := seeded(t), bare(t)
	a := cloneOf(t, remote)
	for i := range 4 {
		add(t, a, entryOf(r, hash(uint64(i)), 1, 3))
	}
	push(t, a)
	b := cloneOf(t, remote)
	run(t, b.dir, "fetch", "-q", "--depth=1", "origin", "+"+DefaultRef+":"+DefaultRef)
	if n := run(t, b.dir, "rev-list", "--count", DefaultRef); n != "1" {
		t.Fatalf("%s commits", n)
	}
	wantCommits(t, b, 0, 1, 2, 3)
	add(t, b, entryOf(r, hash(4), 1, 3))
	add(t, a, entryOf(r, hash(5), 1, 3))
	push(t, a)
	push(t, b)
	fetch(t, a)
	wantCommits(t, a, 0, 1, 2, 3, 4, 5)
	wantCommits(t, b, 0, 1, 2, 3, 4, 5)
}

// TestPruneThenUnion: what one clone removed, the other's push does not bring back.
func TestPruneThenUnion(t *testing.T) {
	r, remote := seeded(t), bare(t)
	a, b := cloneOf(t, remote), cloneOf(t, remote)
	add(t, a, entryOf(r, hash(1), 1, 3), entryOf(r, hash(2), 1, 3))
	push(t, a)
	fetch(t, b)
	add(t, b, entryOf(r, hash(3), 1, 3))
	if err := a.Prune(context.Background(), filesOf(t, a, hash(1))); err != nil {
		t.Fatal(err)
	}
	push(t, a)
	push(t, b)
	fetch(t, a)
	wantCommits(t, b, 2, 3)
	wantCommits(t, a, 2, 3)
}

// TestCompaction: adds that were under way while another clone compacted the store arrive, and what was removed stays so.
func TestCompaction(t *testing.T) {
	r, ctx, remote := seeded(t), context.Background(), bare(t)
	a, b, c := cloneOf(t, remote), cloneOf(t, remote), cloneOf(t, remote)
	for i := range 5 {
		add(t, a, entryOf(r, hash(uint64(i)), 1, 3))
	}
	push(t, a)
	fetch(t, b)
	fetch(t, c)
	add(t, b, entryOf(r, hash(5), 1, 3)) // not pushed yet
	if err := a.Prune(ctx, filesOf(t, a, hash(0))); err != nil {
		t.Fatal(err)
	}
	if err := a.CompactRemote(ctx, "origin"); err != nil {
		t.Fatal(err)
	}
	if n := run(t, a.dir, "rev-list", "--count", DefaultRef); n != "1" {
		t.Errorf("%s commits are left", n)
	}
	push(t, b)
	add(t, c, entryOf(r, hash(6), 1, 3))
	push(t, c)
	if n := run(t, c.dir, "rev-list", "--count", DefaultRef); n != "3" {
		t.Errorf("the old commits are back: %s", n)
	}
	fetch(t, a)
	fetch(t, b)
	for _, s := range []*Ref{a, b, c} {
		wantCommits(t, s, 1, 2, 3, 4, 5, 6)
	}
}

// TestCompactionRace: one clone compacts again and again while others add.
func TestCompactionRace(t *testing.T) {
	remote := bare(t)
	var wg sync.WaitGroup
	var want []uint64
	for c := range 3 {
		s, r := cloneOf(t, remote), seeded(t)
		for i := range 4 {
			want = append(want, uint64(4*c+i))
		}
		wg.Go(func() {
			for i := range 4 {
				if _, err := s.Add(context.Background(), []*Entry{entryOf(r, hash(uint64(4*c+i)), 1, 3)}); err != nil {
					t.Error(err)
				}
				send := s.Push
				if c == 0 {
					send = s.CompactRemote
				}
				if err := send(context.Background(), "origin"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	s := cloneOf(t, remote)
	fetch(t, s)
	wantCommits(t, s, want...)
}

// TestNoRemote: a remote without a history is none's fault, one that is not there is an error that names it.
func TestNoRemote(t *testing.T) {
	s := cloneOf(t, bare(t))
	fetch(t, s)
	push(t, s) // nothing
	wantCommits(t, s)
	for _, f := range []func(context.Context, string) error{s.Fetch, s.Push} {
		if err := f(context.Background(), filepath.Join(s.dir, "nowhere")); err == nil {
			t.Error("no error")
		}
	}
}

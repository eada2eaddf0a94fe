package forge_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/cli/forge"
	"github.com/tarebench/tare/internal/testkit/forgetest"
)

func put(t *testing.T, f *forgetest.Forge, text string) (string, error) {
	t.Helper()
	c := forge.Client{API: f.URL, Token: forgetest.Token, Repo: "o/r"}
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	return c.Put(t.Context(), 7, "tare", text, func(limit int) string { return text[:min(limit, len(text))] })
}

// TestPut: tare's newest comment is replaced, on whichever of three pages it is. Comments of others stay.
func TestPut(t *testing.T) {
	f := forgetest.New(t)
	f.Comment("alice", forge.Marker("tare")+"\nhers, who copied ours")
	for range 130 {
		f.Comment("bob", "chatter")
	}
	old := f.Comment(forgetest.Bot, forge.Marker("tare")+"\nolder")
	other := f.Comment(forgetest.Bot, forge.Marker("another")+"\nanother's")
	for range 70 {
		f.Comment("bob", "chatter")
	}
	newest := f.Comment(forgetest.Bot, forge.Marker("tare")+"\r\nnewest")
	quoted := f.Comment(forgetest.Bot, "> "+forge.Marker("tare"))
	if f.Pages() != 3 {
		t.Fatal(f.Pages(), "pages")
	}
	before := f.Count()
	if _, err := put(t, f, "new text"); err != nil {
		t.Fatal(err)
	}
	if f.Count() != before || f.Body(newest) != forge.Marker("tare")+"\nnew text" {
		t.Errorf("%d comments, %q", f.Count(), f.Body(newest))
	}
	for _, id := range []int64{old, other, quoted, 1} {
		if strings.Contains(f.Body(id), "new text") {
			t.Errorf("comment %d became %q", id, f.Body(id))
		}
	}
}

// TestPost: without a comment of our own there is one, and the next text replaces it.
func TestPost(t *testing.T) {
	f := forgetest.New(t)
	for _, text := range []string{"one", "two"} {
		if _, err := put(t, f, text); err != nil {
			t.Fatal(err)
		}
	}
	if f.Count() != 1 || f.Body(1) != forge.Marker("tare")+"\ntwo" {
		t.Errorf("%d comments, %q", f.Count(), f.Body(1))
	}
}

// TestRefused: a token that may only read, a text that is too long, and a comment that may not be changed.
func TestRefused(t *testing.T) {
	f := forgetest.New(t)
	f.ReadOnly = true
	_, err := put(t, f, "text")
	if s := (*forge.StatusError)(nil); !errors.As(err, &s) || s.Status != 403 || !strings.Contains(s.Message, "not accessible") {
		t.Errorf("read-only: %v", err)
	}
	f.ReadOnly = false
	if _, err := put(t, f, strings.Repeat("x", 100_000)); err != nil || len(f.Body(1)) > 65_536 {
		t.Errorf("too long: %v, %d", err, len(f.Body(1)))
	}
	if _, err := put(t, f, strings.Repeat("x", 1_000_000)); err == nil || !strings.Contains(err.Error(), "422") {
		t.Errorf("far too long: %v", err)
	}
	f.Locked = []int64{1}
	if _, err := put(t, f, "another"); err != nil || f.Count() != 2 {
		t.Errorf("locked: %v, %d comments", err, f.Count())
	}
}

// TestForeignLink: a next page on another host, and a redirect, do not get the token.
func TestForeignLink(t *testing.T) {
	thief := forgetest.New(t)
	f := forgetest.New(t)
	f.Next = thief.URL + "/repos/o/r/issues/7/comments"
	if _, err := put(t, f, "text"); err != nil || thief.Requests() != 0 {
		t.Errorf("%v, %d requests", err, thief.Requests())
	}
	f.Redirect = thief.URL
	if _, err := put(t, f, "text"); err == nil || thief.Requests() != 0 {
		t.Errorf("%v, %d requests", err, thief.Requests())
	}
}

// TestPullOf: of pull requests from a branch the one whose last commit was measured counts.
func TestPullOf(t *testing.T) {
	f := forgetest.New(t)
	f.Pull(4, "carol:topic", "aaa")
	f.Pull(9, "carol:topic", "bbb")
	c := forge.Client{API: f.URL, Token: forgetest.Token, Repo: "o/r"}
	if n, err := c.PullOf(context.Background(), "carol", "topic", "bbb"); n != 9 || err != nil {
		t.Error(n, err)
	}
	if n, err := c.PullOf(context.Background(), "carol", "topic", "ccc"); err == nil {
		t.Error(n)
	}
	if n, err := c.PullOf(context.Background(), "mallory", "topic", "bbb"); err == nil {
		t.Error(n)
	}
}

// TestValidate: no token goes out in the clear, and no repository is a path.
func TestValidate(t *testing.T) {
	for _, c := range []forge.Client{
		{API: "http://api.example.org", Repo: "o/r"}, {API: "ftp://h", Repo: "o/r"}, {API: "https://h", Repo: "o"}, {API: "https://h", Repo: "o/r/../x"}, {API: "https://h", Repo: "../r"}, {API: "https://h", Repo: "o/.."}, {API: "", Repo: "o/r"},
	} {
		if c.Validate() == nil {
			t.Errorf("%+v is valid", c)
		}
	}
	if c := (forge.Client{API: "https://ghe.example.org/api/v3", Repo: "o.x/r-y"}); c.Validate() != nil {
		t.Error(c.Validate())
	}
}

package document

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const page = "# A page\n" +
	"<!-- check: ^a -->\n<!-- long: it measures -->\n```\n$ one 'x y' \\\n    --flag\nout\n$ two\n$ three\nlast\n```\n" +
	"text `tare bench` and [a `link`](b.md#c) and\n![picture](p.svg)\n" +
	"<!-- tare asm --bench 'a b' . -->\n```\nlisting\n```\n" +
	"```sh\n# a comment\nfour \\\n  five\n\nsix   # why\n```\n```go\n# [no](link)\n```\n## Two words: `code`, and_more\n"

func TestBlocks(t *testing.T) {
	blocks := Blocks(page)
	if len(blocks) != 4 {
		t.Fatalf("%d blocks: %+v", len(blocks), blocks)
	}
	b := blocks[0]
	if why, ok := b.Note("long"); !ok || why != "it measures" {
		t.Errorf("the note is %q, %v", why, ok)
	}
	if _, ok := b.Note("in"); ok || !slices.Equal(b.Values("check"), []string{"^a"}) {
		t.Errorf("notes are %q", b.Notes)
	}
	want := []Step{{5, "one 'x y' \\\n    --flag", "out\n"}, {8, "two", ""}, {9, "three", "last\n"}}
	if got := b.Steps(); !reflect.DeepEqual(got, want) {
		t.Errorf("steps are %+v", got)
	}
	if got := blocks[1].Steps(); !reflect.DeepEqual(got, []Step{{15, "tare asm --bench 'a b' .", "listing\n"}}) {
		t.Errorf("the hidden step is %+v", got)
	}
	if got := blocks[2].Lines(); !reflect.DeepEqual(got, []Step{{20, "four \\\n  five", ""}, {23, "six   # why", ""}}) || blocks[2].Lang != "sh" {
		t.Errorf("the script is %+v", got)
	}
	if blocks[2].Steps() != nil || blocks[3].Lang != "go" {
		t.Errorf("the last blocks are %+v", blocks[2:])
	}
	if open := Blocks("```\nnot closed\n"); len(open) != 1 || open[0].Text != "not closed\n" {
		t.Errorf("a block that is not closed is %+v", open)
	}
}

func TestFill(t *testing.T) {
	var ran []string
	run := func(_ *Block, s Step) (string, error) {
		ran = append(ran, s.Command)
		return "\nnow " + strings.Fields(s.Command)[0] + "\n\n", nil
	}
	got, err := Fill(page, run)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("out\n", "now one\n", "$ two\n", "$ two\nnow two\n", "last\n", "now three\n", "listing\n", "now tare\n").Replace(page)
	if got != want {
		t.Errorf("filled:\n%s\nwant:\n%s", got, want)
	}
	if again, err := Fill(got, run); again != got || err != nil {
		t.Errorf("filled again: %v\n%s", err, again)
	}
	if len(ran) != 12 || ran[1] != "two" || ran[4] != "four \\\n  five" {
		t.Errorf("ran %q", ran)
	}
	failing := func(*Block, Step) (string, error) { return "", errors.New("died") }
	if kept, err := Fill(page, failing); kept != page || err == nil || !strings.Contains(err.Error(), "line 5: one 'x y'") {
		t.Errorf("after a failure: %v\n%s", err, kept)
	}
	if _, err := Fill("no command", run); !errors.Is(err, ErrNoCommand) {
		t.Errorf("the error is %v, though there is nothing to run", err)
	}
}

func TestShown(t *testing.T) {
	const output = "\nhead\na 1\nb\na 2\n\ntail\n\n"
	for _, c := range []struct{ lines, want string }{
		{"", "head\na 1\nb\na 2\n\ntail\n"},
		{"/head/,/tail/", "head\na 1\nb\na 2\n\ntail\n"},
		{"/^a/,/b/", "…\na 1\nb\n…\n"},
		{"/head/,/head/ /a.2/,/tail/", "head\n…\na 2\n\ntail\n"},
		{"/b/,/head/", "error"}, {"/none/,/b/", "error"}, {"head", "error"}, {"/(/,/b/", "error"}, {"/b/,/(/", "error"},
	} {
		b := Block{}
		if c.lines != "" {
			b.Notes = []Note{{"lines", c.lines}}
		}
		got, err := b.Shown(output)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("%q shows %q, %v; want %q", c.lines, got, err, c.want)
		}
	}
	if got, err := (&Block{}).Shown("\n"); got != "" || err != nil {
		t.Errorf("nothing is shown as %q, %v", got, err)
	}
}

func TestInclude(t *testing.T) {
	const text = "```go\nold\n```\n<!-- file: a.go -->\n```go\nold\n```\n"
	got, err := Include(text, func(path string) (string, error) { return "// " + path + "\n", nil })
	if want := "```go\nold\n```\n<!-- file: a.go -->\n```go\n// a.go\n```\n"; got != want || err != nil {
		t.Errorf("included: %v\n%s", err, got)
	}
	if _, err := Include(text, func(string) (string, error) { return "", os.ErrNotExist }); err == nil {
		t.Error("no error without the file")
	}
}

func TestMarks(t *testing.T) {
	const text = "a\n<!-- x: begin -->\nold\n<!-- x: end -->\nb\n"
	got, err := Replace(text, "x", "new\n")
	if want := strings.Replace(text, "old", "new", 1); got != want || err != nil {
		t.Errorf("replaced: %v\n%s", err, got)
	}
	if inside, err := Between(got, "x"); inside != "new\n" || err != nil {
		t.Errorf("between the marks: %q, %v", inside, err)
	}
	for _, wrong := range []string{"", "<!-- x: begin -->\n", "<!-- x: end -->\n<!-- x: begin -->\n"} {
		if kept, err := Replace(wrong, "x", "new\n"); err == nil || kept != wrong {
			t.Errorf("%q became %q without an error", wrong, kept)
		}
	}
}

func TestLinks(t *testing.T) {
	if got := Links(page); !slices.Equal(got, []string{"b.md#c", "p.svg"}) {
		t.Errorf("links are %q", got)
	}
	if got := Spans(page); !slices.Equal(got, []string{"tare bench", "link", "code"}) {
		t.Errorf("spans are %q", got)
	}
	if got := Anchors(page); !reflect.DeepEqual(got, map[string]bool{"a-page": true, "two-words-code-and_more": true}) {
		t.Errorf("anchors are %v", got)
	}
}

func TestUpdate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Update(path, func(s string) (string, error) { return s + " new", nil }); err != nil {
		t.Fatal(err)
	}
	err := Update(path, func(string) (string, error) { return "lost", errors.New("died") })
	if err == nil || !strings.HasPrefix(err.Error(), path) {
		t.Errorf("the error is %v", err)
	}
	if text, err := os.ReadFile(path); string(text) != "old new" || err != nil {
		t.Errorf("the file is now %q, %v", text, err)
	}
	if Update(filepath.Join(path, "none"), nil) == nil {
		t.Error("no error without a file")
	}
}

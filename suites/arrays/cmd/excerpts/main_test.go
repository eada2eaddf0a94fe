package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const printed = `m.test · amd64

hottest regions
  90.00 %  m.fill

region 1 · 95.00 % · runtime.memmove  memmove.s:1

region 2 · 90.00 % · m.fill  m.go:1

 90.00 %  0x1  NOPL

region 3 · 10.00 % · m.copy

 10.00 %  0x2  RET

the code of 1 region of the runtime is left out; --runtime prints it
`

const want = "region 2 · 90.00 % · m.fill  m.go:1\n\n 90.00 %  0x1  NOPL\n"

func TestFirst(t *testing.T) {
	if got, err := first(printed); got != want || err != nil {
		t.Errorf("got\n%s\nwant\n%s(%v)", got, want, err)
	}
	for _, out := range []string{"nothing", "hottest regions\nregion 1 · 95.00 % · runtime.memmove\n\nwarning: few\n"} {
		if got, err := first(out); err == nil {
			t.Errorf("no error for %q, but %q", out, got)
		}
	}
}

func TestWords(t *testing.T) {
	if got, want := words("tare asm --bench 'a b' --func f$ ."), []string{"tare", "asm", "--bench", "a b", "--func", "f$", "."}; !reflect.DeepEqual(got, want) {
		t.Errorf("words are %q", got)
	}
}

// What fails leaves the file as it was.
func TestFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "README.md")
	text := "<!-- tare asm -->\n```\nold\n```\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-tare", filepath.Join(t.TempDir(), "none"), path}, &strings.Builder{}); err == nil {
		t.Error("no error, though there is no tare")
	}
	if got, _ := os.ReadFile(path); string(got) != text {
		t.Errorf("the file is now\n%s", got)
	}
}

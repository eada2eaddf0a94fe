package main

import (
	"errors"
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

func TestFill(t *testing.T) {
	var ran [][]string
	text := "# A\n<!-- tare asm --bench 'a b' --func f$ . -->\n```\nold\n```\nbetween\n<!-- tare asm -->\n```\n```\n```\nnot mine\n```\n"
	got, err := fill(text, func(args []string) (string, error) {
		ran = append(ran, args)
		return printed, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	filled := "# A\n<!-- tare asm --bench 'a b' --func f$ . -->\n```\n" + want + "```\nbetween\n<!-- tare asm -->\n```\n" + want + "```\n```\nnot mine\n```\n"
	if got != filled {
		t.Errorf("got\n%s\nwant\n%s", got, filled)
	}
	if want := [][]string{{"asm", "--bench", "a b", "--func", "f$", "."}, {"asm"}}; !reflect.DeepEqual(ran, want) {
		t.Errorf("ran %q, want %q", ran, want)
	}
	if again, err := fill(got, func([]string) (string, error) { return printed, nil }); again != got || err != nil {
		t.Errorf("filled again: %v\n%s", err, again)
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
	for out, fail := range map[string]error{"nothing": nil, "hottest regions\nregion 1 · 95.00 % · runtime.memmove\n\nwarning: few\n": nil, printed: errors.New("died")} {
		if _, err := fill(text, func([]string) (string, error) { return out, fail }); err == nil {
			t.Errorf("no error, though it printed %q and said %v", out, fail)
		}
	}
	if _, err := fill("no listing", nil); err == nil {
		t.Error("no error, though there is nothing to fill")
	}
}

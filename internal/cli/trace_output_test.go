package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/exit"
	"github.com/tarebench/tare/internal/render"
	"github.com/tarebench/tare/internal/session"
)

func TestOutletCheck(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		out, suffix string
		records     bool
		bad         string
	}{
		{out: ""},
		{out: "-"},
		{out: "x.jsonl", records: true},
		{out: "x", records: true},
		{out: "x.json", suffix: ".json"},
		{out: "x.trace.json", suffix: ".trace.json"},
		{out: "x.pb.gz", suffix: ".pb.gz"},
		{out: "a.b.svg", suffix: ".svg"},
		{out: "x.txt", suffix: ".txt"},
		{out: "x.gz", bad: "suffix"},
		{out: "x.csv", bad: ".trace.json"},
		{out: filepath.Join("none", "x.svg"), bad: "none"},
	} {
		o := outlet{suffixes: callsSuffixes}
		out := test.out
		if out != "" && out != "-" {
			out = filepath.Join(dir, out)
		}
		err := o.check(&showFlags{color: "auto", out: out})
		if test.bad != "" {
			f := (*exit.Error)(nil)
			if !errors.As(err, &f) || !strings.Contains(f.Err.Error()+f.Hint, test.bad) || f.Code != exit.Misuse {
				t.Errorf("%s: error %v, want one about %s", test.out, err, test.bad)
			}
			continue
		}
		var files []session.File
		if test.suffix != "" {
			files = []session.File{{Path: out, Format: test.suffix}}
		}
		if err != nil || !slices.Equal(o.Files, files) || (o.Records != "") != test.records {
			t.Errorf("%s: %+v, %v", test.out, o, err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("checking has left %v, %v", list, err)
	}
}

// TestOutletSeveral: each -o is written, and none silently instead of another.
func TestOutletSeveral(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, c := range []struct {
		suffixes, out []string
		bad           string
	}{
		{callsSuffixes, []string{"a.jsonl", "a.json", "b.json", "a.svg", "a.trace.json"}, ""},
		{callsSuffixes, []string{"a.jsonl", "b"}, "go to"},
		{callsSuffixes, []string{"a.json", "./a.json"}, "is named twice"},
		{profileSuffixes, []string{"a.trace.json"}, "no execution path"},
		{nil, []string{"a.trace.json"}, "no execution path"},
		{nil, []string{"a.json", "a.svg"}, "no form"},
	} {
		show := &showFlags{color: "auto", out: in(c.out[0])}
		for _, name := range c.out[1:] {
			show.more = append(show.more, dir+"/"+name)
		}
		o := outlet{suffixes: c.suffixes}
		err := o.check(show)
		if (err == nil) != (c.bad == "") || err != nil && !strings.Contains(err.Error(), c.bad) {
			t.Errorf("%s: %v, want %q", c.out, err, c.bad)
		}
		if err == nil && (o.Records != in("a.jsonl") || len(o.Files) != 4 || o.Path(render.TraceEventsSuffix) != in("a.trace.json")) {
			t.Errorf("%+v", o)
		}
	}
	show := &showFlags{color: "auto", out: in("none.trace.json"), more: []string{in("x.svg"), in("x.json")}}
	o := outlet{suffixes: callsSuffixes}
	if err := o.check(show); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := o.print(streams{out: &out}, show, []*render.View{said("one")}) // which has no path
	if err == nil || out.String() != "one\n" {
		t.Errorf("%v, %q", err, out.String())
	}
	for _, name := range []string{"x.svg", "x.json"} {
		if text, err := os.ReadFile(in(name)); err != nil || string(text) != "one\n" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// TestOneOutput: where there is one output, a second is refused.
func TestOneOutput(t *testing.T) {
	var out string
	fl := pflag.NewFlagSet("", pflag.ContinueOnError)
	oneOutput(fl, &out, "write to `FILE`")
	if err := fl.Parse([]string{"-o", "a.json", "--output=b.json"}); err == nil || !strings.Contains(err.Error(), "a.json") || out != "a.json" {
		t.Errorf("%v, %q", err, out)
	}
}

// said is a view of one word.
func said(word string) *render.View {
	say := func(w io.Writer) error { _, err := fmt.Fprintln(w, word); return err }
	return &render.View{
		Title: word,
		Text:  func(w io.Writer, _ render.Options) error { return say(w) },
		JSON:  say,
		Files: map[string]func(io.Writer) error{".svg": say},
	}
}

func TestOutletPrints(t *testing.T) {
	dir := t.TempDir()
	show := &showFlags{color: "auto", out: filepath.Join(dir, "x.svg")}
	o := outlet{suffixes: callsSuffixes}
	if err := o.check(show); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	st := streams{out: &out}
	if err := o.print(st, show, []*render.View{said("one")}); err != nil {
		t.Fatal(err)
	}
	if file, err := os.ReadFile(show.out); err != nil || string(file) != "one\n" || out.String() != "one\n" {
		t.Errorf("of a run: %q, %v, and %q", file, err, out.String())
	}
	// Two do not fit into one picture, and what is there stays there.
	if err := o.printAgain(st, show, []*render.View{said("two"), said("three")}); err == nil || !strings.Contains(err.Error(), "two, three") {
		t.Errorf("two programs in one picture: %v", err)
	}
	if file, _ := os.ReadFile(show.out); string(file) != "one\n" {
		t.Errorf("a failure has left %q", file)
	}
	out.Reset()
	if err := o.printAgain(st, show, []*render.View{said("four")}); err != nil || out.Len() > 0 {
		t.Errorf("of a record: %v, and on standard output %q", err, out.String())
	}
	if file, _ := os.ReadFile(show.out); string(file) != "four\n" {
		t.Errorf("of a record: %q", file)
	}
	o = outlet{format: render.Text, Exporter: &session.Exporter{}}
	if err := o.printAgain(st, &showFlags{color: "auto"}, []*render.View{said("five"), said("six")}); err != nil || out.String() != "five\n\nsix\n" {
		t.Errorf("two texts: %q, %v", out.String(), err)
	}
}

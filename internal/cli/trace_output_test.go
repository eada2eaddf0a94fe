package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/session"
	"github.com/tarebench/tare/internal/show/render"
)

func TestProgramOutput(t *testing.T) {
	dir := t.TempDir()
	for _, test := range []struct {
		out, suffix string
		format      string // of the suffix, where it is not its name
		records     bool
		bad         string
	}{
		{out: ""},
		{out: "-"},
		{out: "x.jsonl", records: true},
		{out: "x", records: true},
		{out: "x.json", suffix: ".json", format: "json"},
		{out: "x.trace.json", suffix: ".trace.json"},
		{out: "x.pb.gz", suffix: ".pb.gz"},
		{out: "a.b.svg", suffix: ".svg"},
		{out: "x.txt", suffix: ".txt", format: "text"},
		{out: "x.gz", bad: "suffix"},
		{out: "x.csv", bad: ".trace.json"},
		{out: filepath.Join("none", "x.svg"), bad: "none"},
	} {
		out := test.out
		if out != "" && out != "-" {
			out = filepath.Join(dir, out)
		}
		f := programOutput([]string{out}, callsSuffixes...)
		err := f.check()
		if test.bad != "" {
			bad := (*exit.Error)(nil)
			if !errors.As(err, &bad) || !strings.Contains(bad.Err.Error()+bad.Hint, test.bad) || bad.Code != exit.Misuse {
				t.Errorf("%s: error %v, want one about %s", test.out, err, test.bad)
			}
			continue
		}
		var files []session.File
		if test.suffix != "" {
			files = []session.File{{Path: out, Format: cmp.Or(test.format, test.suffix)}}
		}
		if err != nil || !slices.Equal(f.output.Files, files) || (f.output.Records != "") != test.records {
			t.Errorf("%s: %+v, %v", test.out, f.output.Exporter, err)
		}
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) > 0 {
		t.Errorf("checking has left %v, %v", list, err)
	}
}

// TestSeveralOutputs: each -o is written, and none silently instead of another.
func TestSeveralOutputs(t *testing.T) {
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
		paths := []string{in(c.out[0])}
		for _, name := range c.out[1:] {
			paths = append(paths, dir+"/"+name)
		}
		f := programOutput(paths, c.suffixes...)
		err := f.check()
		if (err == nil) != (c.bad == "") || err != nil && !strings.Contains(err.Error(), c.bad) {
			t.Errorf("%s: %v, want %q", c.out, err, c.bad)
		}
		if err == nil && (f.output.Records != in("a.jsonl") || len(f.output.Files) != 4 || f.output.Path(render.TraceEventsSuffix) != in("a.trace.json")) {
			t.Errorf("%+v", f.output.Exporter)
		}
	}
	f := programOutput([]string{in("none.trace.json"), in("x.svg"), in("x.json")}, callsSuffixes...)
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := f.output.Write(&out, "text", "", f.output.views([]*render.View{said("one")})) // which has no path
	if err == nil || out.String() != "one\n" {
		t.Errorf("%v, %q", err, out.String())
	}
	for _, name := range []string{"x.svg", "x.json"} {
		if text, err := os.ReadFile(in(name)); err != nil || string(text) != "one\n" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// programOutput are the flags of a verb whose -o takes the suffixes.
func programOutput(paths []string, suffixes ...string) *programFlags {
	f := &programFlags{}
	f.output = outputFlags{files: paths, color: "auto", formats: textFormats, suffixes: withSuffixes(textSuffixes, suffixes...)}
	return f
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

func TestViewsWritten(t *testing.T) {
	dir := t.TempDir()
	picture := filepath.Join(dir, "x.svg")
	f := programOutput([]string{picture}, callsSuffixes...)
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.output.Write(&out, "text", "", f.output.views([]*render.View{said("one")})); err != nil {
		t.Fatal(err)
	}
	if file, err := os.ReadFile(picture); err != nil || string(file) != "one\n" || out.String() != "one\n" {
		t.Errorf("of a run: %q, %v, and %q", file, err, out.String())
	}
	// Two do not fit into one picture, and what is there stays there.
	if err := f.output.Show(&out, "text", "", f.output.views([]*render.View{said("two"), said("three")})); err == nil || !strings.Contains(err.Error(), "two, three") {
		t.Errorf("two programs in one picture: %v", err)
	}
	if file, _ := os.ReadFile(picture); string(file) != "one\n" {
		t.Errorf("a failure has left %q", file)
	}
	out.Reset()
	if err := f.output.Show(&out, "text", "", f.output.views([]*render.View{said("four")})); err != nil || out.Len() > 0 {
		t.Errorf("of a record: %v, and on standard output %q", err, out.String())
	}
	if file, _ := os.ReadFile(picture); string(file) != "four\n" {
		t.Errorf("of a record: %q", file)
	}
	f = programOutput(nil)
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	if err := f.output.Show(&out, "text", "", f.output.views([]*render.View{said("five"), said("six")})); err != nil || out.String() != "five\n\nsix\n" {
		t.Errorf("two texts: %q, %v", out.String(), err)
	}
}

package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// drawing is any chart.
type drawing interface{ Write(io.Writer) error }

// cases are the charts of testdata, by the names of their files.
func cases() map[string]drawing {
	all := map[string]drawing{}
	for name, c := range barCases() {
		all[name] = c
	}
	for name, c := range lineCases() {
		all["lines-"+name] = c
	}
	for name, c := range percentileCases() {
		all["percentiles-"+name] = c
	}
	return all
}

func TestGolden(t *testing.T) {
	for name, c := range cases() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.Write(&b); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name+".svg")
			if *update {
				if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v (run go test -update)", err)
			}
			if !bytes.Equal(want, b.Bytes()) {
				t.Errorf("differs from %s; got\n%s", path, b.Bytes())
			}
		})
	}
}

// TestXML: every chart is well formed, draws within its borders, and has elements
// and attributes of the list alone.
func TestXML(t *testing.T) {
	known := " svg title desc style rect path text g "
	for name, c := range cases() {
		var b bytes.Buffer
		if err := c.Write(&b); err != nil {
			t.Fatal(err)
		}
		if s := b.String(); strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
			t.Errorf("%s: a place that is no number:\n%s", name, s)
		}
		d := xml.NewDecoder(&b)
		for {
			tok, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := tok.(xml.StartElement); ok && !strings.Contains(known, " "+e.Name.Local+" ") {
				t.Errorf("%s: element %s", name, e.Name.Local)
			}
		}
	}
}

// TestInline: a chart as an element of a page is well formed, has what a file draws, and no style and no title of its
// own.
func TestInline(t *testing.T) {
	for name, c := range cases() {
		text, err := Inline(c.(Chart), `"<what it shows>"`)
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"<style", "<title", "<desc", "xmlns", "<what"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: the element contains %q", name, bad)
			}
		}
		var file bytes.Buffer
		if err := c.Write(&file); err != nil {
			t.Fatal(err)
		}
		d, texts := xml.NewDecoder(strings.NewReader(text)), 0
		for {
			tok, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := tok.(xml.StartElement); ok && e.Name.Local == "text" {
				texts++
			}
		}
		if want := strings.Count(file.String(), "<text "); texts != want {
			t.Errorf("%s: %d texts, the file has %d", name, texts, want)
		}
	}
	if _, err := Inline(Bars{}, ""); !errors.Is(err, errNoBars) {
		t.Errorf("error %v", err)
	}
}

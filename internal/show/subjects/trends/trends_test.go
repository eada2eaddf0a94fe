package trends

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/result/history"
	"github.com/tarebench/tare/internal/result/history/trend"
	"github.com/tarebench/tare/internal/show/textpage"
)

var update = flag.Bool("update", false, "write the golden files anew")

func hash(n int) string { return fmt.Sprintf("%010x%030x", 0x1a2b3c4d5e+n*0x0171f3d5b7, n) }

// example is a history of 40 commits: Decode is 8 % slower from the 27th on, Encode has a commit that does not build and one
// allocation less from the 30th on. name is that of Encode.
func example(name string) *trend.Collector {
	r := rand.New(rand.NewPCG(7, 7))
	var line []trend.Commit
	for i := range 44 {
		line = append(line, trend.Commit{Hash: hash(i), Tree: hash(1000 + i), Time: time.Unix(1_760_000_000+int64(86_400*i), 0).UTC(), Subject: fmt.Sprintf("codec: change number %d", i+1)})
	}
	line[26].Subject = "codec: check every length twice"
	c := trend.NewCollector(line)
	for i := range 40 {
		e := &history.Entry{Commit: hash(i), Time: line[i].Time, Machine: "0a1b2c3d4e5f", Described: "linux/amd64, AMD EPYC, 2 cores", Toolchain: "go1.26.8", Settings: map[string]string{"GOAMD64": "v1"}}
		add := func(name, unit string, main bool, level, cv float64) {
			s := history.Series{Key: history.Key{Pkg: "example.com/codec", Name: name, Procs: 2}, Unit: unit, Main: main, Better: "lower"}
			for range 10 {
				s.Values = append(s.Values, level*(1+cv*r.NormFloat64()))
			}
			e.Series = append(e.Series, s)
		}
		decode, allocs := 1_234_000.0, 3.0
		if i >= 26 {
			decode *= 1.08
		}
		if i >= 29 {
			allocs = 2
		}
		add("Decode/size=64", "ns/op", true, decode, 0.03)
		if i == 12 {
			e.Gaps = []history.Gap{{Pkg: "example.com/codec", Name: name, Why: "does not build"}}
		} else {
			add(name, "ns/op", true, 870, 0.02)
			add(name, "allocs/op", false, allocs, 0)
			add(name, "B/op", false, 64, 0)
		}
		c.Add(history.File{}, e)
	}
	old := &history.Entry{Commit: hash(3), Machine: "ffff0000ffff", Described: "linux/arm64, 4 cores", Toolchain: "go1.25.1", Series: []history.Series{{Key: history.Key{Pkg: "p", Name: "B"}, Unit: "ns/op", Values: history.Values{1}}}}
	c.Add(history.File{}, old)
	c.Add(history.File{}, &history.Entry{Commit: hash(500), Machine: "0a1b2c3d4e5f", Toolchain: "go1.26.8"})
	return c
}

func trendsOf(t *testing.T, name string, o trend.Selection) *trend.Trends {
	t.Helper()
	out, ok := example(name).Trends(o)
	if !ok {
		t.Fatal("no trends")
	}
	return out
}

// TestGolden compares each format with its file.
func TestGolden(t *testing.T) {
	all := trendsOf(t, "Encode", trend.Selection{})
	one := trendsOf(t, "Encode", trend.Selection{Unit: "ns/op"})
	one.Rows = one.Rows[:1]
	for _, c := range []struct {
		file, format string
		t            *trend.Trends
		o            textpage.Options
	}{
		{"history.txt", "text", all, textpage.Options{UTF8: true}},
		{"history.60.txt", "text", all, textpage.Options{UTF8: true, Width: 60}},
		{"history.ascii.txt", "text", all, textpage.Options{}},
		{"history.verbose.txt", "text", all, textpage.Options{UTF8: true, Verbose: true}},
		{"history.md", "md", all, textpage.Options{}},
		{"history.csv", "csv", all, textpage.Options{}},
		{"history.json", "json", all, textpage.Options{}},
		{"history.svg", "svg", one, textpage.Options{}},
		{"hostile.txt", "text", trendsOf(t, "E|\x1b[31m<b>`x`\u202e", trend.Selection{}), textpage.Options{UTF8: true}},
		{"hostile.md", "md", trendsOf(t, "E|\x1b[31m<b>`x`\u202e", trend.Selection{}), textpage.Options{}},
	} {
		var b bytes.Buffer
		if err := Write(&b, c.format, c.t, c.o, "tare devel"); err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		path := filepath.Join("testdata", c.file)
		if *update {
			if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s differs (%v):\n%s", c.file, err, b.Bytes())
		}
		if strings.ContainsAny(b.String(), "\x1b\u202e") {
			t.Errorf("%s has what a terminal obeys", c.file)
		}
	}
}

// TestPage: the page has a picture for each series that is shown. Names are escaped.
func TestPage(t *testing.T) {
	var b bytes.Buffer
	if err := Write(&b, "html", trendsOf(t, "E<script>x", trend.Selection{}), textpage.Options{}, "tare devel"); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if n := strings.Count(text, `<svg class="picture"`); n != 3 {
		t.Errorf("%d pictures", n)
	}
	if strings.Contains(text, "E<script>") || !strings.Contains(text, "check every length twice") {
		t.Error("names")
	}
}

// TestSeveral: of several series there is no picture.
func TestSeveral(t *testing.T) {
	if err := Write(&bytes.Buffer{}, "svg", trendsOf(t, "Encode", trend.Selection{}), textpage.Options{}, ""); !errors.Is(err, ErrSeveral) {
		t.Error(err)
	}
}

// TestHostileNames: in no format is there anything of a name that a terminal obeys.
func TestHostileNames(t *testing.T) {
	for _, format := range []string{"text", "md", "csv", "json", "html"} {
		var b bytes.Buffer
		if err := Write(&b, format, trendsOf(t, "evil\x1b[31m\u009b31m\u202e", trend.Selection{}), textpage.Options{UTF8: true}, "tare devel"); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		if !strings.Contains(b.String(), "evil") || strings.ContainsAny(b.String(), "\x1b\u009b\u202e") {
			at := strings.IndexAny(b.String(), "\x1b\u009b\u202e")
			t.Errorf("%s lacks the name, or has what a terminal obeys: %q", format, b.String()[max(0, at-60):max(0, min(at+60, b.Len()))])
		}
	}
}

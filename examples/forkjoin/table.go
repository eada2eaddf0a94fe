package main

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/usage"
)

// notTabled is the experiment without a row: it counts threads and is not about time.
const notTabled = "blocked"

// figures are those of an article for one way, from a machine with 12 hardware threads. What it does not tell is 0.
type figures struct {
	real, user time.Duration
	mem        string
}

var article = map[string]figures{
	"sequentialSort":          {6841 * time.Millisecond, 6840 * time.Millisecond, "344 B"},
	"parallelSort":            {863 * time.Millisecond, 9200 * time.Millisecond, "387 MB"},
	"serialTree":              {8396 * time.Millisecond, 8190 * time.Millisecond, ""},
	"parallelTree":            {5461 * time.Millisecond, 13260 * time.Millisecond, ""},
	"parallelTreeAndMultiply": {2656 * time.Millisecond, 0, ""},
}

// articleSizes are the sizes of the articles, by flag.
var articleSizes = map[string]int{"sort": 100_000_000, "reduce": 200_000, "tree": 2_000_000}

// takeArticles sets the sizes that no flag has set to those of the articles.
func (c *config) takeArticles(fl *flag.FlagSet) {
	given := map[string]bool{}
	fl.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, size := range map[string]*int{"sort": &c.sort, "reduce": &c.reduce, "tree": &c.tree} {
		if !given[name] {
			*size = articleSizes[name]
		}
	}
}

// table shows what was measured beside the figures of the articles.
type table struct {
	config   config
	start    time.Time
	results  []usage.Usage
	compared []usage.Comparison
}

func newTable(c config) *table { return &table{config: c, start: time.Now()} }

// size returns the size at which a way was measured, and that of the article.
func (t *table) size(way string) (here, there int) {
	switch {
	case strings.HasSuffix(way, "Sort"):
		return t.config.sort, articleSizes["sort"]
	case strings.HasSuffix(way, "Reduce"):
		return t.config.reduce, articleSizes["reduce"]
	}
	return t.config.tree, articleSizes["tree"]
}

// String returns the text in Markdown.
func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s, %s, GOMAXPROCS %d, %s %s/%s", t.start.Format(time.DateOnly), processor(), runtime.GOMAXPROCS(0), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if t.config.revision != "" {
		fmt.Fprintf(&b, ", revision %s", t.config.revision)
	}
	b.WriteString(". One run each, so that there are no intervals. The article's machine has 12 hardware threads; – is what the article does not tell.\n\n")
	b.WriteString("| | article: size | real | user | mem | here: size | real | user | sys | mem | cores busy |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	other := false
	for _, u := range t.results {
		here, there := t.size(u.Name)
		other = other || here != there
		a := article[u.Name]
		cells := []string{u.Name, fmt.Sprint(there), seconds(a.real), seconds(a.user), orNone(a.mem), fmt.Sprint(here), seconds(u.Real), figure(u, usage.FigureUser, u.User), figure(u, usage.FigureSys, u.Sys), megabytes(u.Bytes), number(u.Cores())}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	b.WriteString("\n| | article: faster | CPU | here: faster | CPU |\n|---|---:|---:|---:|---:|\n")
	for _, c := range t.compared {
		seq, par := article[c.Seq.Name], article[c.Par.Name]
		fmt.Fprintf(&b, "| %s against %s | %s | %s | %s | %s |\n", c.Par.Name, c.Seq.Name, times(seq.real, par.real), times(par.user, seq.user), factor(c.SpeedUp), factor(c.ExtraCPU))
	}
	if other {
		b.WriteString("\nSizes here are not all those of the article: compare ratios, and not times.\n")
	}
	for _, x := range []struct {
		head string
		of   func(usage.Comparison) []string
	}{
		{"Not trustworthy", func(c usage.Comparison) []string { return c.Doubts }},
		{"Not checked", func(c usage.Comparison) []string { return c.NotChecked }},
	} {
		var all []string
		for _, c := range t.compared {
			for _, d := range x.of(c) {
				if !slices.Contains(all, d) {
					all = append(all, d)
				}
			}
		}
		if len(all) > 0 {
			fmt.Fprintf(&b, "\n%s:\n\n* %s\n", x.head, strings.Join(all, "\n* "))
		}
	}
	return b.String()
}

const none = "–"

func orNone(text string) string {
	if text == "" {
		return none
	}
	return text
}

func seconds(d time.Duration) string {
	if d == 0 {
		return none
	}
	return fmt.Sprintf("%.3f s", d.Seconds())
}

// figure returns a time that was measured; 0 is one, too.
func figure(u usage.Usage, name string, d time.Duration) string {
	if why, missing := u.NotAvailable[name]; missing {
		return "not available: " + why
	}
	return fmt.Sprintf("%.3f s", d.Seconds())
}

// megabytes are of 10⁶ bytes, as in the article.
func megabytes(b uint64) string {
	switch {
	case b < 10_000:
		return fmt.Sprintf("%d B", b)
	case b < 10_000_000:
		return fmt.Sprintf("%.2f MB", float64(b)/1e6)
	}
	return fmt.Sprintf("%.0f MB", float64(b)/1e6)
}

func number(x float64) string {
	if math.IsNaN(x) {
		return none
	}
	return fmt.Sprintf("%.2f", x)
}

func factor(x float64) string {
	if math.IsNaN(x) {
		return none
	}
	return number(x) + " ×"
}

func times(a, b time.Duration) string {
	if a == 0 || b == 0 {
		return none
	}
	return factor(float64(a) / float64(b))
}

// processor returns the name of the processor, or its architecture where the system does not tell.
func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

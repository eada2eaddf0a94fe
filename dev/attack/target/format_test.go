package target

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMalformed: what programs could not read is found, and what they can is not.
func TestMalformed(t *testing.T) {
	const page = "<!doctype html><html><body><p>a<br>b<ul><li>c</ul>%s</body></html>\n"
	html := func(inside string) string { return strings.Replace(page, "%s", inside, 1) }
	for _, c := range []struct {
		format, text string
		bad          bool
	}{
		{"json", `{"a":1}`, false}, {"json", `{"a":NaN}`, true}, {"json", `{"a":1}}`, true}, {"jsonl", "{}\n[]\n", false}, {"jsonl", "{}\n{", true}, {"json", "", false},
		{"csv", "a,\"b\nc\"\n1\n", false}, {"csv", "a,\"b\n", true},
		{"svg", `<svg><path d="M1 2L3,4"/><text>NaN</text></svg>`, false}, {"svg", `<svg><path d="M1 NaN"/></svg>`, true}, {"svg", `<svg><rect x="+Inf"/></svg>`, true},
		{"svg", `<svg><g></svg>`, true}, {"xml", "<a>\x01</a>", true},
		{"html", html(`<div><b>x</b></div>`), false}, {"html", html(`<div><b>x</div>`), true}, {"html", html(`<div>`), true}, {"html", "<html>", true},
		{"html", html(`<script>if (a<b) "</div>"</script><i title="a>b">c</i>`), false}, {"html", html(`<script type="application/json">{"a":}</script>`), true},
		{"html", html(`<svg><rect width="NaN"/></svg>`), true},
		{"text", "100%! sure\n", false}, {"text", "%!d(string=x) forks\n", true},
	} {
		if why := Malformed(c.format, c.text); (why != "") != c.bad {
			t.Errorf("%s %q: %q", c.format, c.text, why)
		}
	}
}

// TestOnce: a panic, what is allocated and what is written are in the outcome, and formats are those of the flags and suffixes.
func TestOnce(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x.json")
	write := func(text, file string) Main {
		return func(_ []string, _ io.Reader, stdout, _ io.Writer) int {
			io.WriteString(stdout, text)
			if file != "" {
				if err := os.WriteFile(out, []byte(file), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			return 0
		}
	}
	for _, c := range []struct {
		args string
		main Main
		bad  bool
	}{
		{"report --format json", write("{", ""), true}, {"report --format json", write("{}", ""), false}, {"report", write("{", ""), false},
		{"report -o " + out, write("", "{"), true}, {"report -o " + out, write("", "{}"), false}, {"report -o " + out + " --format csv", write("a,b", "[]"), false},
	} {
		if o := Once(c.main, strings.Fields(c.args)); (o.Invalid != "") != c.bad || (len(o.Judge(Readers)) > 0) != c.bad {
			t.Errorf("%s: %+v", c.args, o)
		}
	}
	if o := Once(func([]string, io.Reader, io.Writer, io.Writer) int { panic("here") }, []string{"x"}); !strings.Contains(o.Died, "here") || !strings.Contains(o.Messages, "format_test.go") {
		t.Errorf("%+v", o)
	}
	o := Once(func([]string, io.Reader, io.Writer, io.Writer) int { sink = make([]byte, 64<<20); return 0 }, []string{"x"})
	if o.Allocated < 64<<20 || len(o.Judge(Limits{Codes: []int{0}, Allocated: 32 << 20})) != 1 {
		t.Errorf("%+v", o)
	}
}

var sink []byte // so that it is on the heap

package kv

import (
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/load"
)

func TestParseProperties(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       Properties
	}{
		{"empty", "", Properties{}},
		{"separators", "a=1\nb:2\nc 3\nd\t=\t4\ne : 5\nf  6 7\n", Properties{"a": "1", "b": "2", "c": "3", "d": "4", "e": "5", "f": "6 7"}},
		{"comments", "# a=1\n  ! b=2\n\n \t\nc=3 # no comment", Properties{"c": "3 # no comment"}},
		{"line ends", "a=1\r\nb=2\rc=3\n\r\n", Properties{"a": "1", "b": "2", "c": "3"}},
		{"no value", "a\nb=\nc:\n", Properties{"a": "", "b": "", "c": ""}},
		{"second separator", "a==1\nb=:2\nc : = 3", Properties{"a": "=1", "b": ":2", "c": "= 3"}},
		{"white space", "  a = 1  \n", Properties{"a": "1  "}},
		{"continuation", "a=1,\\\n   2,\\\r\n\t3\nb=4", Properties{"a": "1,2,3", "b": "4"}},
		{"even backslashes", "a=1\\\\\nb=2", Properties{"a": `1\`, "b": "2"}},
		{"continued comment is none", "# a \\\nb=1", Properties{"b": "1"}},
		{"comment sign in continuation", "a=1\\\n#2", Properties{"a": "1#2"}},
		{"escapes", `a=\t\n\r\f\"\q\\`, Properties{"a": "\t\n\r\f\"q\\"}},
		{"unicode", `a=\u00e4\u20AC\ud83d\ude00 ä`, Properties{"a": "ä€😀 ä"}},
		{"escaped separators", `a\=b\:c\ d=1`, Properties{"a=b:c d": "1"}},
		{"escaped comment", `\#a=1`, Properties{"#a": "1"}},
		{"twice", "a=1\na=2", Properties{"a": "2"}},
		{"byte order mark", "\ufeffa=1", Properties{"a": "1"}},
		{"end in backslash", `a=1\`, Properties{"a": "1"}},
		{"a workload", "recordcount=1000\nworkload=site.ycsb.workloads.CoreWorkload\nreadproportion=0.5\n",
			Properties{"recordcount": "1000", "workload": "site.ycsb.workloads.CoreWorkload", "readproportion": "0.5"}},
	} {
		got, err := ParseProperties(strings.NewReader(tt.text), "file")
		if err != nil || !maps.Equal(got, tt.want) {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	for _, tt := range []struct{ name, text, want string }{
		{"bad unicode", "a=1\n\nb=\\u12x4\n", `file:3: property b: "\\u12x4": \u wants four hexadecimal digits`},
		{"cut off unicode", `a=\u12`, `file:1: property a: "\\u12": \u wants four hexadecimal digits`},
		{"no name", "=1", "file:1: a value without a name"},
		{"line of a continued one", "a=\\\n\\\n\\u", `file:1: property a: "\\u": \u wants four hexadecimal digits`},
		{"binary", "a=1\x00", "properties: file: not text"},
		{"endless", strings.Repeat("a", maxProperties+1), "properties: file: longer than 1048576 bytes: not a property file"},
	} {
		if got, err := ParseProperties(strings.NewReader(tt.text), "file"); err == nil || err.Error() != tt.want {
			t.Errorf("%s: %q, %v, want %s", tt.name, got, err, tt.want)
		}
	}
	if _, err := ReadProperties("testdata/none"); err == nil || !strings.Contains(err.Error(), "testdata/none") {
		t.Error(err)
	}
}

// FuzzProperties: no text makes the parser panic, and what it read is read again
// when every character of it is escaped.
func FuzzProperties(f *testing.F) {
	for _, s := range []string{"a=1\nb : 2", "a\\=b=c\\\n  d", `a=\u00e4`, "#x\r!y\r\nz", "\\", "a=\\ud83d\\ude00", " = ", "\f=\f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseProperties(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		var b strings.Builder
		for _, name := range p.Names() {
			b.WriteString(escape(name) + "=" + escape(p[name]) + "\n")
		}
		again, err := ParseProperties(strings.NewReader(b.String()), "again")
		if err != nil || !maps.Equal(p, again) {
			t.Errorf("%q is read as %q, then as %q, %v", text, p, again, err)
		}
	})
}

// escape puts a backslash before everything that means something.
func escape(s string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\f", `\f`, " ", `\ `, "\\", `\\`,
		"=", `\=`, ":", `\:`, "#", `\#`, "!", `\!`, "\ufeff", `\ufeff`, "\x00", `\u0000`).Replace(s)
}

func TestSetProperty(t *testing.T) {
	p := Properties{"a": "0"}
	for _, s := range []string{"a=1", "b=", "c=x=y", " d = e"} {
		if err := p.Set(s); err != nil {
			t.Error(err)
		}
	}
	if want := (Properties{"a": "1", "b": "", "c": "x=y", "d": " e"}); !maps.Equal(p, want) {
		t.Errorf("%q, want %q", p, want)
	}
	for _, s := range []string{"", "a", "=1", "redis://:secret@h"} {
		if err := p.Set(s); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", s, err)
		}
	}
	p.Merge(Properties{"a": "2", "redis.password": "x"})
	if p["a"] != "2" || p.Redacted()["redis.password"] != load.Masked || p.Redacted()["a"] != "2" || p["redis.password"] != "x" {
		t.Errorf("%q, shown as %q", p, p.Redacted())
	}
}

func TestGetter(t *testing.T) {
	g := Properties{
		"s": " x ", "i": " 42", "n": "-3", "f": "0.5", "b": "TRUE", "off": "no", "d": "1.5ms", "w": "b",
	}.Getter()
	if g.String("s", "") != "x" || g.Int("i", 0) != 42 || g.IntIn("n", 0, -5, 5) != -3 || g.Float("f", 0) != 0.5 ||
		!g.Bool("b", false) || g.Bool("off", true) || g.Duration("d", 0) != 1500*time.Microsecond || g.OneOf("w", "a", "a", "b") != "b" {
		t.Error("a value was misread")
	}
	if g.String("none", "x") != "x" || g.Int("none", 1) != 1 || g.Float("none", 2) != 2 || !g.Bool("none", true) ||
		g.Duration("none", time.Second) != time.Second || g.OneOf("none", "", "a") != "" || g.Has("none") || !g.Has("s") {
		t.Error("a default was not used")
	}
	if err := g.Err(); err != nil {
		t.Error(err)
	}
}

// TestGetterErrors: all that is wrong is said at once, with name and value, but
// for secrets.
func TestGetterErrors(t *testing.T) {
	p := Properties{
		"i": "x", "big": "9223372036854775808", "range": "0", "least": "0", "f": "NaN", "b": "maybe", "d": "5", "neg": "-1s",
		"mode": "stals", "redis.password": "x", "redis.adr": "h", "redis.zzzzzz": "", "redis.passwordhunter2": "", "redis.x%secret": "1",
	}
	g := p.Getter()
	if g.Int("i", 7) != 7 {
		t.Error("a bad value was not replaced by the default")
	}
	g.Int("big", 0)
	g.IntIn("range", 5, 1, 10)
	g.IntIn("least", 5, 1, math.MaxInt64)
	g.Float("f", 0)
	g.Bool("b", false)
	g.Duration("d", 0)
	g.Duration("neg", 0)
	g.OneOf("mode", "", "fixed", "stalls")
	g.Int("redis.password", 0)
	g.Known("redis.", []Property{{Name: "redis.addr"}, {Name: "redis.password"}})
	want := `property i=x: want a whole number
property big=9223372036854775808: out of the range of 64-bit integers
property range=0: must be 1 to 10
property least=0: must be at least 1
property f=NaN: want a number
property b=maybe: want true or false
property d=5: want a duration such as 10ms or 2s
property neg=-1s: must not be negative
property mode=stals: want fixed, stalls; did you mean stalls?
property redis.password=***: want a whole number
unknown property redis.adr: did you mean redis.addr?
unknown property redis.passwo…: did you mean redis.password?
unknown property redis.x…
unknown property redis.zzzzzz`
	if err := g.Err(); err == nil || err.Error() != want {
		t.Errorf("%v\nwant\n%s", err, want)
	}
}

func TestNearest(t *testing.T) {
	words := []string{"zipfian", "uniform", "latest", "hotspot"}
	for typed, want := range map[string]string{
		"zipf": "", "zipfan": "zipfian", "ZIPFIAN": "zipfian", "unifrom": "uniform", "lates": "latest", "x": "", "": "",
	} {
		if got := nearest(typed, words); got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

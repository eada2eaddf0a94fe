package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// testScope knows env.X, the data users with a column name, and the captures a and b.
func testScope() *scope {
	streams := uint64(firstStream)
	return &scope{
		env: func(name string) (string, error) {
			if name != "X" {
				return "", errors.New("no such environment variable")
			}
			return `s e"c`, nil
		},
		data: func(name, column string) (int, int, error) {
			if name != "users" || column != "name" {
				return 0, 0, errors.New("no such column")
			}
			return 0, 0, nil
		},
		slot: func(name string) (int, error) {
			if i := strings.Index("ab", name); i >= 0 && len(name) == 1 {
				return i, nil
			}
			return 0, errors.New("no such capture")
		},
		streams: &streams,
	}
}

func testValues(a, b string) *values {
	return &values{k: 7, seed: 1, slots: [][]byte{[]byte(a), []byte(b)}, rows: [][][]byte{{[]byte("Ann & Bob")}}}
}

func TestTemplate(t *testing.T) {
	const evil = "x/..?y=1&z\r\nSet-Cookie: \"\\\x00ü"
	for _, c := range []struct {
		text string
		to   sink
		want string
	}{
		{"no variable $$5 $${k}", asIs, "no variable $5 ${k}"},
		{"${k}-${k}", asIs, "7-7"},
		{"${users.name}", asIs, "Ann & Bob"},
		{"/u/${users.name}?n=${users.name}", inPath, "/u/Ann%20%26%20Bob?n=Ann%20%26%20Bob"},
		{"/a b/${a}", inPath, "/a b/x%2F..%3Fy%3D1%26z%0D%0ASet-Cookie%3A%20%22%5C%00%C3%BC"},
		{"${a}", inURL, "x/..?y=1&z%0D%0ASet-Cookie:%20%22%5C%00%C3%BC"},
		{"v: ${a}", inHeader, "v: x/..?y=1&z  Set-Cookie: \"\\ ü"},
		{"${a}", inJSON, `x/..?y=1&z\u000D\nSet-Cookie: \"\\\u0000ü`},
		{`"${env.X}"`, inJSON, `\"s e\"c\"`},
		{"${env.X}", inPath, "s%20e%22c"},
		{"${a}", asIs, evil},
	} {
		tp, errs := parseTemplate(c.text, c.to, testScope())
		if errs != nil {
			t.Fatal(errs)
		}
		if got := string(tp.append(nil, testValues(evil, ""))); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
	for text, at := range map[string]int{"$": 0, "ab$c": 2, "x${k": 1, "${nope}": 0, "${rand:0}": 0, "ab${rand:x}": 2, "${env.Y}": 0, "${users.x}": 0, "${}": 0, "${k.x}": 0} {
		if _, errs := parseTemplate(text, asIs, testScope()); len(errs) != 1 || errs[0].at != at {
			t.Errorf("%q: %v", text, errs)
		}
	}
}

// TestRandomValues follow from the seed and k alone; each in a text is another, but for the UUID.
func TestRandomValues(t *testing.T) {
	tp, _ := parseTemplate("${rand:1000000} ${rand:1000000} ${uuid} ${uuid}", asIs, testScope())
	seen := map[string]bool{}
	form := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	for k := range uint64(100) {
		for seed := range uint64(3) {
			v := &values{k: k, seed: seed}
			text := string(tp.append(nil, v))
			f := strings.Fields(text)
			if f[0] == f[1] || f[2] != f[3] || !form.MatchString(f[2]) || seen[text] || string(tp.append(nil, v)) != text {
				t.Fatal(text)
			}
			seen[text] = true
		}
	}
}

func TestTemplateAllocates(t *testing.T) {
	tp, _ := parseTemplate(`{"a":"${a}","n":"${users.name}","k":${k},"r":${rand:10},"u":"${uuid}"}`, inJSON, testScope())
	v, dst := testValues("some \"text\"", ""), make([]byte, 0, 512)
	if n := testing.AllocsPerRun(100, func() { dst = tp.append(dst[:0], v) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkTemplate(b *testing.B) {
	tp, _ := parseTemplate("/items/${a}/${k}?user=${users.name}", inPath, testScope())
	v, dst := testValues("12345", ""), make([]byte, 0, 512)
	b.ReportAllocs()
	for b.Loop() {
		dst = tp.append(dst[:0], v)
	}
}

// FuzzEscape: whatever a value is, it stays one value where it goes.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"", "a/b?c=d&e#f%", "\r\nX: y", "\"\\\u2028", "../..", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := url.Parse("http://h/a/" + string(appendEscaped(nil, s, inPath)) + "/b?q=" + string(appendEscaped(nil, s, inQuery)) + "&z=1")
		if err != nil {
			t.Fatal(err)
		}
		if u.Path != "/a/"+s+"/b" || u.Query().Get("q") != s || len(u.Query()) != 2 || u.Host != "h" {
			t.Errorf("%q: %v", s, u)
		}
		if h := string(appendEscaped(nil, s, inHeader)); strings.ContainsAny(h, "\r\n\x00") {
			t.Errorf("%q: a header %q", s, h)
		}
		if u, err := url.Parse("http://h/" + string(appendEscaped(nil, s, inURL))); err == nil && u.Host != "h" {
			t.Errorf("%q: host %s", s, u.Host)
		}
		if utf8.ValidString(s) {
			var back string
			if err := json.Unmarshal(fmt.Appendf(nil, `"%s"`, appendEscaped(nil, s, inJSON)), &back); err != nil || back != s {
				t.Errorf("%q: %q, %v", s, back, err)
			}
		}
	})
}

// FuzzTemplate: what is taken can be written.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"${k}", "$$", "${a}${b}", "${rand:9}", "/x?y=${users.name}", "${", "$"} {
		f.Add(s, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, to uint8) {
		tp, errs := parseTemplate(text, sink(to%6), testScope())
		if errs != nil {
			for _, e := range errs {
				if e.at < 0 || e.at >= len(text) {
					t.Errorf("%q: an error at %d", text, e.at)
				}
			}
			return
		}
		got := string(tp.append(nil, testValues("x", "y")))
		if !strings.Contains(text, "$") && sink(to%6) != inJSON && got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	})
}

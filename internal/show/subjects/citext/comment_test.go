package citext

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tarebench/tare/internal/show/markdown/markdowntest"
)

// checkComment fails if a comment is more than a summary of tare may be, or does not show each marker once.
func checkComment(t *testing.T, from, comment string, markers ...string) {
	t.Helper()
	page := markdowntest.Render(comment)
	for _, p := range page.Problems {
		t.Errorf("%s\nfrom    %q\ncomment %q", p, from, comment)
	}
	for _, f := range page.Folds {
		if !title.MatchString(f) {
			t.Errorf("folded under %q\nfrom    %q\ncomment %q", f, from, comment)
		}
	}
	for _, m := range markers {
		if n := strings.Count(page.Text, m); n != 1 {
			t.Errorf("%s is seen %d times\nfrom    %q\ncomment %q\npage    %q", m, n, from, comment, page.Text)
		}
	}
	if len(comment) > MaxComment {
		t.Errorf("%d bytes", len(comment))
	}
}

// random returns a source of random numbers whose seed is printed if the test fails.
func random(t *testing.T) *rand.Rand {
	seed := uint64(time.Now().UnixNano())
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

func markers(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("zq%dqz", 100+i))
	}
	return all
}

// TestCommentOfAnything: of a file that anybody wrote all is seen, and nothing of it has a meaning.
func TestCommentOfAnything(t *testing.T) {
	r := random(t)
	for range 3000 {
		all := markers(1 + r.IntN(6))
		file := headline + "x\n" + strings.Repeat("\n", r.IntN(3)) + markdowntest.Hostile(r, all...) + "\n"
		checkComment(t, file, Comment(file, MaxComment), all...)
		if t.Failed() {
			return
		}
	}
}

// TestSummaryOfAnything: texts of others are seen in each place of a summary, and have no meaning there. As a comment it is
// the same page.
func TestSummaryOfAnything(t *testing.T) {
	r := random(t)
	for range 1000 {
		all := markers(5)
		text := func(i int) string { return markdowntest.Hostile(r, all[i]) }
		res := slower(1)
		res.Gates[0].Gate, res.Gates[0].Text = text(0), text(1)
		s := Summary{Result: res, Notes: []string{text(2)}, Why: text(3), Selftest: text(4), Base: "0123456789", Head: "0123456789"}
		if r.IntN(2) == 0 {
			s.Failed, s.Notes = s.Notes[0], nil
		}
		md := s.Markdown(MaxComment)
		checkComment(t, fmt.Sprintf("%+v", s), md, all...)
		comment := Comment(md, MaxComment)
		checkComment(t, md, comment, all...)
		if a, b := markdowntest.Render(md), markdowntest.Render(comment); a.Text != b.Text {
			t.Errorf("%q\nis %q\nand as a comment %q", md, a.Text, b.Text)
		}
		if t.Failed() {
			return
		}
	}
}

// TestCommentIsSummary: a summary without texts of others is posted as it is.
func TestCommentIsSummary(t *testing.T) {
	s := Summary{Result: slower(3), Comparison: "**3 slower**\n\n1. text → advice\n   - B1: why\n\nrepeat: `tare bench`\n", Base: "0123456789", Head: "abcdefabcd", Why: "the first parent", Selftest: "fit", Notes: []string{"sort_test.go differs"}}
	md := s.Markdown(MaxComment)
	if got := Comment(md, MaxComment); got != md {
		t.Errorf("%s\nbecame\n%s", md, got)
	}
}

// TestNoSummary: what is no summary becomes no comment.
func TestNoSummary(t *testing.T) {
	for _, text := range []string{"", "hello", headline + "\xff", "<!-- tare:x -->\n" + headline, " " + headline, "#" + headline, headline + strings.Repeat("x", 2*MaxComment)} {
		if got := Comment(text, MaxComment); got != "" {
			t.Errorf("%.100q became %.100q", text, got)
		}
	}
}

// TestCutComment: where a comment is cut nothing stays open.
func TestCutComment(t *testing.T) {
	r := random(t)
	for range 300 {
		var b strings.Builder
		b.WriteString(headline + "x\n")
		for b.Len() < 3000 {
			b.WriteString(markdowntest.Hostile(r, "m") + "\n\n")
		}
		limit := 200 + r.IntN(2500)
		got := Comment(b.String(), limit)
		checkComment(t, b.String(), got)
		if len(got) > limit || got != "" && !strings.HasSuffix(got, cutNote) {
			t.Errorf("%d bytes of %d: %q", len(got), limit, got)
		}
		if t.Failed() {
			return
		}
	}
}

// FuzzComment: wherever in a file a marker is put, it is seen once; and nothing of the file has a meaning.
func FuzzComment(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		f.Add("x\n"+markdowntest.Hostile(r, markers(4)...), r.IntN(100))
	}
	f.Add((&Summary{Result: slower(3), Comparison: "**1 slower**\n\n| a | b |\n| --- | --: |\n| `x` | 1 |\n", Selftest: "fit"}).Markdown(MaxComment)[len(headline):], 100)
	f.Fuzz(func(t *testing.T, text string, at int) {
		const marker = "zqmarkqz"
		if !utf8.ValidString(text) || len(text) > 5000 || at < 0 || strings.Contains(text, marker) {
			return
		}
		for at %= len(text) + 1; at < len(text) && !utf8.RuneStart(text[at]); at-- {
		}
		file := headline + text[:at] + marker + text[at:]
		checkComment(t, file, Comment(file, MaxComment), marker)
	})
}

// TestLongComment: of a file that is longer than a comment takes the beginning is posted.
func TestLongComment(t *testing.T) {
	for name, line := range map[string]string{"text": "- a_b *c* `d` [e](f)\n", "code": "```\n", "emphasis": "**_a ", "quotes": "> > - x\n", "table": "| a | b |\n|---|---|\n"} {
		text := headline + "x\n\n" + strings.Repeat(line, MaxStepSummary/len(line))
		got := Comment(text, MaxComment)
		checkComment(t, text, got)
		if len(got) > MaxComment || name != "emphasis" && !strings.HasSuffix(got, cutNote) {
			t.Errorf("%s: %d bytes, which end with %q", name, len(got), got[max(0, len(got)-60):])
		}
	}
}

// hardToQuote are texts whose repetition has many parts, of which each is written in another way.
var hardToQuote = []string{">", "&", "|", `\`, "`", "$", "#", "@a ", "`a` ", "**a", "<details>\n", "</details>\n", "<details>\n<summary>results of each side</summary>\n\n", "| a |\n", "``` \n"}

// TestCommentLinear: what is allocated for a comment follows the length of the summary, not its square. A line of 100 KB made 5 GB.
func TestCommentLinear(t *testing.T) {
	const length, most = 100_000, 400 << 20
	for _, part := range hardToQuote {
		text := headline + "x\n\n" + strings.Repeat(part, length/len(part))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Comment(text, MaxComment)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > most {
			t.Errorf("%q: %d MB allocated", part, n>>20)
		}
	}
}

func BenchmarkComment(b *testing.B) {
	for _, length := range []int{50_000, 100_000} {
		b.Run(fmt.Sprint("size=", length), func(b *testing.B) {
			text := headline + "x\n\n" + strings.Repeat(">&|\\", length/4)
			for b.Loop() {
				Comment(text, MaxComment)
			}
		})
	}
}

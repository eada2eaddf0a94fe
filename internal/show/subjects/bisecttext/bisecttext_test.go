package bisecttext

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

func found() *record.Bisect {
	return &record.Bisect{
		Pkg: "example.com/p", Name: "Encode", Metric: "ns/op", Better: record.Lower, State: "found", First: "bbbbbbbbbbbbbbbb", Group: []string{"bbbbbbbbbbbbbbbb"},
		Ratio: 1.0512, Lo: 1.04, Hi: 1.062, Forks: 120, Layouts: 4,
		Commits: []record.BisectCommit{
			{Commit: "aaaaaaaaaaaaaaaa", Subject: "good", Forks: 30, Median: 1000},
			{Commit: "bbbbbbbbbbbbbbbb", Subject: "a map \x1b[31mfor\nall", Forks: 30, Median: 1051, Probability: 0.985},
			{Commit: "cccccccccccccccc", Subject: "comments", Same: true},
			{Commit: "dddddddddddddddd", Subject: "broken", Skipped: "does not build"},
			{Commit: "eeeeeeeeeeeeeeee", Subject: "bad", Forks: 30, Median: 1050, Probability: 0.0001},
		},
	}
}

func TestText(t *testing.T) {
	for name, c := range map[string]struct {
		change     func(*record.Bisect)
		want, gone []string
	}{
		"found": {nil, []string{
			"Encode of example.com/p", "ns/op", "aaaaaaaaaa … eeeeeeeeee: 4 commits", "120 forks of 3 commits", "4 random code layouts",
			"bbbbbbbbbb made it slower:", "1.051× of the commit before (95 % interval 1.040× … 1.062×)", "98.5 %", "< 0.1 %", "1.051 µs/op",
			"1 commit not measured", "skipped: dddddddddd does not build", "next: git show bbbbbbbbbb",
		}, []string{"\x1b", "comments\n", "other steps", "one code layout"}},
		"faster":        {func(b *record.Bisect) { b.Ratio, b.Lo, b.Hi = 0.9, 0.89, 0.91 }, []string{"made it faster:"}, nil},
		"a rate":        {func(b *record.Bisect) { b.Metric, b.Better, b.Ratio = "MB/s", record.Higher, 0.9 }, []string{"made it worse:"}, nil},
		"a better rate": {func(b *record.Bisect) { b.Metric, b.Better = "MB/s", record.Higher }, []string{"made it better:"}, nil},
		"unknown":       {func(b *record.Bisect) { b.Metric, b.Better = "cats", "" }, []string{"changed it:"}, nil},
		"from zero": {func(b *record.Bisect) {
			b.Metric, b.Ratio, b.Lo, b.Hi, b.Commits[0].Median, b.Layouts = "allocs/op", 0, 0, 0, 0, 1
		}, []string{"made it worse:", "at GOOD to 1051 allocs/op"}, []string{"of the commit before", "--layouts"}},
		"exact":          {func(b *record.Bisect) { b.Lo, b.Hi = b.Ratio, b.Ratio }, []string{"all forks of a commit agree"}, nil},
		"group":          {func(b *record.Bisect) { b.Group = append(b.Group, "dddddddddddddddd") }, []string{"One of 2 commits changed it: bbbbbbbbbb, dddddddddd"}, []string{"git show"}},
		"several steps":  {func(b *record.Bisect) { b.Part = true }, []string{"there are other steps", "tare bisect bbbbbbbbbb eeeeeeeeee"}, nil},
		"one layout":     {func(b *record.Bisect) { b.Layouts = 1 }, []string{"--layouts 4 tells"}, nil},
		"merge base":     {func(b *record.Bisect) { b.Base = "v1" }, []string{"v1 is no ancestor of BAD"}, nil},
		"nothing":        {func(b *record.Bisect) { b.State = "nothing" }, []string{"the two ends do not differ", "eeeeeeeeee takes 1.051× of aaaaaaaaaa"}, []string{"git show"}},
		"undecided":      {func(b *record.Bisect) { b.State = "undecided" }, []string{"Not decided", "--resume FILE"}, []string{"git show"}},
		"unusable":       {func(b *record.Bisect) { b.State, b.Commits[0].Skipped = "unusable", "no such benchmark" }, []string{"aaaaaaaaaa cannot be measured: no such benchmark"}, nil},
		"binary is same": {func(b *record.Bisect) { b.State = "nothing"; sameAll(b) }, []string{"no commit between changes the test binary"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := found()
			if c.change != nil {
				c.change(b)
			}
			var out strings.Builder
			if err := Text(&out, nil, b, textpage.Options{Width: 200, UTF8: true}); err != nil {
				t.Fatal(err)
			}
			for _, w := range c.want {
				if !strings.Contains(out.String(), w) {
					t.Errorf("lacks %q:\n%s", w, out.String())
				}
			}
			for _, w := range c.gone {
				if strings.Contains(out.String(), w) {
					t.Errorf("has %q:\n%s", w, out.String())
				}
			}
		})
	}
}

func sameAll(b *record.Bisect) {
	for i := range b.Commits[1:] {
		b.Commits[i+1].Same = true
	}
}

// A record may hold anything.
func TestOddRecords(t *testing.T) {
	for _, b := range []*record.Bisect{{}, {State: "found"}, {State: "nothing", Commits: []record.BisectCommit{{}}}, {State: "unusable", Commits: []record.BisectCommit{{}}}, {State: "undecided", Hi: 1, Commits: []record.BisectCommit{{}}}, {State: "found", Part: true, Commits: []record.BisectCommit{{}}}} {
		var out strings.Builder
		if err := Text(&out, &record.Run{}, b, textpage.Options{}); err != nil {
			t.Error(err)
		}
	}
}

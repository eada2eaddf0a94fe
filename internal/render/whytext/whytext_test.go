package whytext

import (
	"math"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/render/page"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/why"
)

func TestText(t *testing.T) {
	c := &result.Comparison{Pkg: "example.com/toml", Name: "Decode/large", Base: "old", Side: "new", Unit: "ns/op", Old: 2.4e6, New: 2.91e6, Ratio: 1.21, Lo: 1.19, Hi: 1.24, Verdict: "slower"}
	row := Row{Comparison: c, Missing: []string{"sched"}, Next: "tare bench --prof asm"}
	row.Answer = why.Answer{Ledger: why.OfTime, Rest: why.Share{Value: 0.14, Lo: 0.04, Hi: 0.24}, Causes: []why.Cause{
		{What: "toml.emit is no longer inlined into toml.lexText", Exact: true, Share: why.Share{Value: 0.64, Lo: 0.55, Hi: 0.73}, Place: [2]why.Place{{File: "/m/lex.go", Line: 212}, {File: "/m/lex.go", Line: 219}}, Evidence: []string{"cost 84 exceeds budget 80", "+1.8e+04 instructions/op"}},
		{Kind: why.CauseWait, What: "more waiting for a lock, in toml.get\x1b[31m", Share: why.Share{Value: math.NaN(), Lo: 0, Hi: 1}},
		{What: "toml.x takes more time for as many instructions", Where: true, Share: why.Share{Value: 0.05, Lo: 0.05, Hi: 0.05}},
	}}
	var b strings.Builder
	if err := Text(&b, []Row{row}, "", page.Options{UTF8: true, Width: 100}); err != nil {
		t.Fatal(err)
	}
	const want = `Decode/large   2.400 ms/op → 2.910 ms/op   1.21 (1.19 … 1.24) slower
example.com/toml · old → new · shares of the difference in time

1  toml.emit is no longer inlined into toml.lexText
   explains 64 % (55 … 73), counts are exact
   lex.go:212 → lex.go:219
   cost 84 exceeds budget 80 · +1.8e+04 instructions/op

2  more waiting for a lock, in toml.get\x1b[31m
   explains an unknown share: goroutines wait side by side

3  toml.x takes more time for as many instructions
   explains 5 %, where the time is spent; no count says why

-  not explained: 14 % (4 … 24)
not looked at: --prof sched
next: tare bench --prof asm
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	row.Answer = why.Answer{Rest: why.Share{Value: 1, Lo: 1, Hi: 1}, Notes: []string{"no cause is named: others had the processors"}}
	if err := Text(&b, []Row{row}, "", page.Options{Width: 100}); err != nil || strings.Contains(b.String(), "explained") || !strings.Contains(b.String(), "no cause is named") {
		t.Errorf("%s, %v", b.String(), err)
	}
	b.Reset()
	if err := Text(&b, nil, "nothing changed", page.Options{}); err != nil || b.String() != "nothing changed\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

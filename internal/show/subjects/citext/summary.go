package citext

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/termtext"
	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/internal/result"
	"github.com/tarebench/tare/internal/show/markdown"
	"github.com/tarebench/tare/stat"
)

// Limits of texts, in bytes.
const (
	MaxComment     = 60_000   // of a comment; GitHub refuses 65,536 characters
	MaxStepSummary = 1000_000 // of GITHUB_STEP_SUMMARY; GitHub drops the whole text beyond 1 MiB
)

// Summary is what people read of a comparison, on a page of the run or in a comment.
type Summary struct {
	Result     *result.Result
	Comparison string // the comparison as Markdown
	Base, Head string // commits
	Why        string // how the base was found
	Failed     string // why there is no result, or not all of it; "" if nothing failed
	Selftest   string // what a self-test of this machine said, as text; "" if there was none
	Notes      []string
}

// Markdown returns the summary, cut at a line if it is longer than limit bytes.
func (s *Summary) Markdown(limit int) string {
	var b strings.Builder
	fmt.Fprintf(&b, headline+"%s\n\n", s.headline())
	s.gates(&b)
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "\n> %s\n", markdown.Text(charset.Head(n, maxText)))
	}
	end := s.footer()
	fmt.Fprintf(&b, "\n%s", s.Comparison)
	return Cut(b.String(), limit-len(end)) + end
}

const (
	maxListed = 20   // gates above the table
	maxText   = 1000 // columns of a text above the table
)

var charset = termtext.Charset{UTF8: true}

func (s *Summary) headline() string {
	if s.Failed != "" {
		return "failed: " + markdown.Text(charset.Head(s.Failed, maxText))
	}
	if s.Result == nil {
		return "interrupted before anything was measured"
	}
	if words := s.counts(); words != "" {
		return words
	}
	counts := map[string]int{}
	for i := range s.Result.Comparisons {
		if c := &s.Result.Comparisons[i]; c.Main {
			counts[c.Verdict]++
		}
	}
	switch {
	case counts[string(stat.Slower)] > 0:
		return fmt.Sprintf("%d slower, no gate missed", counts[string(stat.Slower)])
	case counts[string(stat.Undecided)] > 0:
		return fmt.Sprintf("%d inconclusive, no gate missed", counts[string(stat.Undecided)])
	case len(s.Result.Comparisons) == 0:
		return "nothing was compared"
	}
	return "no regression"
}

// footer says what was compared, and how small a change this machine could show.
func (s *Summary) footer() string {
	var b strings.Builder
	if s.Base != "" {
		fmt.Fprintf(&b, "\nbase %s (%s), head %s", markdown.Code(short(s.Base)), markdown.Text(s.Why), markdown.Code(short(s.Head)))
	}
	if typical, worst, n := Resolution(s.Result); n > 0 {
		fmt.Fprintf(&b, " · intervals on this machine: ± %s or less in half of the %s, ± %s in the widest", units.Percent(typical), units.Plural(n, "row"), units.Percent(worst))
	}
	if s.Base != "" {
		b.WriteString("\n")
	}
	if s.Selftest != "" {
		b.WriteString("\n" + markdown.Folded(selftestTitle, markdown.Fenced(s.Selftest, "")) + "\n")
	}
	return b.String()
}

// Resolution returns how far the intervals of the main units reach from their ratios: the median, and the farthest. n is
// the number of rows; those of identical binaries and without an interval do not count.
func Resolution(res *result.Result) (typical, worst float64, n int) {
	if res == nil {
		return 0, 0, 0
	}
	var halves []float64
	for i := range res.Comparisons {
		c := &res.Comparisons[i]
		half := math.Max(float64(c.Hi/c.Ratio), float64(c.Ratio/c.Lo)) - 1
		if c.Main && c.Verdict != string(stat.Identical) && half >= 0 && !math.IsInf(half, 0) {
			halves = append(halves, half)
		}
	}
	if len(halves) == 0 {
		return 0, 0, 0
	}
	return stat.Median(halves), slices.Max(halves), len(halves)
}

func short(commit string) string { return commit[:min(len(commit), 7)] }

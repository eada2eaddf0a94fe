package published

import (
	"testing"

	"github.com/tarebench/tare/record"
)

func TestConditions(t *testing.T) {
	some, more := 0.02, 0.31
	for _, c := range []struct {
		lines []record.Overhead
		quiet bool
		text  string
	}{
		{nil, true, "Load average when it began: 0.00; stolen time: 0.00 %"},
		{[]record.Overhead{{Load: 1.9}}, false, "Load average when it began: 1.90; stolen time: 0.00 %"},
		{[]record.Overhead{{Load: 1.9}, {Others: &some, Steal: 0.001}}, true, "Other programs used 0.02 processors on average; stolen time: 0.10 %"},
		{[]record.Overhead{{Others: &more}, {Others: &some}}, false, "Other programs used 0.31 processors on average; stolen time: 0.00 %"},
	} {
		var got Conditions
		for _, l := range c.lines {
			got.Add(&l)
		}
		if got.Quiet(2) != c.quiet || got.String() != c.text {
			t.Errorf("%v: quiet %v, %q; want %v, %q", c.lines, got.Quiet(2), got, c.quiet, c.text)
		}
	}
}

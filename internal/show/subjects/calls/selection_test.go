package calls

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/show/textpage"
)

// TestSelection: a focus leaves the stacks that have a function, --peek adds callers, and the order is that of total.
func TestSelection(t *testing.T) {
	text := func(s textpage.Selection) string {
		return textOf(t, mustNew(t, watched(t), Config{Selection: s}), Options{UTF8: true})
	}
	focused := text(textpage.Selection{Focus: regexp.MustCompile("Sleep500")})
	if !strings.Contains(focused, "only stacks kept by --focus Sleep500") || strings.Contains(focused, "Sleep100") || !strings.Contains(focused, "main.nine") {
		t.Errorf("focus:\n%s", focused)
	}
	ignored := text(textpage.Selection{Ignore: regexp.MustCompile("Sleep500")})
	if strings.Contains(ignored, "(*Demo).Sleep500 ") || !strings.Contains(ignored, "Sleep100") {
		t.Errorf("ignore:\n%s", ignored)
	}
	peeked := text(textpage.Selection{Peek: regexp.MustCompile("Sleep500$")})
	if !strings.Contains(peeked, "callers, function, callees") || !strings.Contains(peeked, "caller > callee") {
		t.Errorf("peek:\n%s", peeked)
	}
	sorted := text(textpage.Selection{Sort: textpage.SortTotal})
	table, _, _ := strings.Cut(sorted, "caller > callee")
	if nine, sleep := strings.Index(table, "\nnine "), strings.Index(table, "\nDemo.Sleep500 "); nine < 0 || sleep < nine {
		t.Errorf("by total, nine comes before what it calls:\n%s", table)
	}
}

//go:build unix

package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/tarebench/tare/dev/document"
)

// table returns the page's table in Markdown.
func table(machine string, bounds []bound, rows []measured) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Measured on %s.\n\n", machine)
	b.WriteString("| figure | now | aim | moonshot | against | bounded by |\n|---|--:|--:|--:|---|---|\n")
	for i := range rows {
		m := &rows[i]
		now := m.text()
		if m.err != nil {
			now = "not measured"
		}
		aim := m.aim(m.reach)
		if m.err == nil && m.reached() {
			aim += ", reached"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", m.name, now, aim, m.aim(m.moonshot), m.anchor, m.bound)
	}
	b.WriteString("\nWhat this machine allows:\n\n| | |\n|---|--:|\n")
	for _, x := range bounds {
		fmt.Fprintf(&b, "| %s | %s |\n", x.name, x.text())
	}
	return b.String()
}

// reached reports whether a figure is as good as its aim.
func (m *measured) reached() bool {
	return m.more && m.value >= m.reach || !m.more && m.value <= m.reach
}

// text writes a figure with its interval.
func (f *figure) text() string {
	unit, by := f.unit, 1.0
	switch unit {
	case "ns/op", "added-ns/call", "calibrated-ns/call", "late-ns", "p99-ns":
		if unit = "ns"; f.value >= 1000 {
			unit, by = "µs", 1e-3
		}
	case "x-range", "direct/nethttp":
		unit = "×"
	}
	text := number(f.value*by) + " " + unit
	if !math.IsNaN(f.lo) && !math.IsNaN(f.hi) && !math.IsInf(f.lo, 0) && !math.IsInf(f.hi, 0) {
		text += fmt.Sprintf(" (%s … %s)", number(f.lo*by), number(f.hi*by))
	}
	return text
}

// aim writes an aim with the unit of the figure; the number alone if there is no figure.
func (m *measured) aim(x float64) string {
	if m.err != nil {
		return number(x)
	}
	f := figure{x, math.NaN(), math.NaN(), m.unit}
	return f.text()
}

// number writes three digits.
func number(x float64) string {
	if math.Abs(x) >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// sentences returns a list in Markdown: a sentence for each figure that the README has.
func sentences(rows []measured) string {
	var b strings.Builder
	for i := range rows {
		if m := &rows[i]; m.says != "" && m.err == nil {
			fmt.Fprintf(&b, "* %s;\n", fmt.Sprintf(m.says, m.text()))
		}
	}
	return strings.TrimSuffix(b.String(), ";\n") + ".\n"
}

// put puts a text between the marks of a page.
func put(page, text string) error {
	return document.Update(page, func(old string) (string, error) { return document.Replace(old, "limits", text) })
}

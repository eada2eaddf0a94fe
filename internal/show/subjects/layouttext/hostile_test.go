package layouttext

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/binary/layout"
	"github.com/tarebench/tare/internal/show/textpage"
)

// TestHostile: names in a binary are no commands to a terminal, in any form.
func TestHostile(t *testing.T) {
	const hostile = "\x1b[2J\x1b]0;x\x07\u009b31m\u202e\r\n<script>\u200b"
	order := &layout.Order{Fields: []layout.Field{{Name: "b" + hostile, Type: "int64" + hostile, Size: 8, Align: 8}, {Name: "a" + hostile, Type: "bool", Size: 1, Align: 1}}, Size: 16}
	s := &layout.Struct{
		Name: "T" + hostile, Path: "p" + hostile, Where: "f.go" + hostile + ":1", Arch: "amd64", Size: 24, Align: 8, Line: 64, Lines: 1, Padding: 7, Block: 24,
		Fields: []layout.Field{
			{Name: "a" + hostile, Type: "bool" + hostile, Size: 1, Align: 1, Role: "lock"},
			{Offset: 1, Size: 7},
			{Name: "b" + hostile, Type: "struct " + hostile, Offset: 8, Size: 8, Align: 8, Open: true},
			{Name: "c" + hostile, Type: "int64" + hostile, Offset: 8, Size: 8, Align: 8, Depth: 1, Misaligned: true},
		},
		Shared: []layout.Shared{{Hot: []string{"a" + hostile, "c" + hostile}, Locks: []string{"a" + hostile}, Plain: []string{"b" + hostile}}}, Best: order, Separated: order,
	}
	var text strings.Builder
	all := []*layout.Struct{s, s}
	for _, write := range []func() error{
		func() error { return Text(&text, all, textpage.Options{UTF8: true, Width: 200}) },
		func() error { return Text(&text, all, textpage.Options{}) },
		func() error { return List(&text, all, textpage.Options{UTF8: true, Width: 200}) },
		func() error { return SVG(&text, all) },
	} {
		text.Reset()
		if err := write(); err != nil {
			t.Fatal(err)
		}
		if shown := text.String(); strings.ContainsAny(shown, "\x1b\x07\u009b\u202e\r\u200b") || !strings.Contains(shown, `x1b[2J`) {
			t.Errorf("%.2000q", shown)
		}
	}
	if strings.Contains(text.String(), "<script>") {
		t.Error("the picture has a script")
	}
}

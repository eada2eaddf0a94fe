package profile_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/show/subjects/profile"
	"github.com/tarebench/tare/internal/show/textpage"
	"github.com/tarebench/tare/record"
)

var scriptElement = regexp.MustCompile(`(?s)<script>.*</script>\n`)

var update = flag.Bool("update", false, "write the golden files")

// TestGolden: each look of each kind of profile is as the file has it.
func TestGolden(t *testing.T) {
	text := func(o profile.Options) func(*profile.View, io.Writer) error {
		return func(v *profile.View, w io.Writer) error { return v.Text(w, o) }
	}
	wide := profile.Options{UTF8: true}
	doubted := profile.Config{Warnings: []profile.Warning{
		{Code: "few-looks", Text: "25 looks, so that a share of 10 % is known to within ±6 %", Advice: "look for longer: 100 looks take 800 µs"},
		{Code: "looks-lost", Text: "3 samples or looks were lost"},
	}}
	selected := func(s textpage.Selection) profile.Config { return profile.Config{Selection: s} }
	store, library := regexp.MustCompile("Store"), regexp.MustCompile("json|kernel")
	differ := func(old, now func() (*pprof.Profile, *record.Sampled), c profile.Config, show func(*profile.Difference, io.Writer) error) func(*profile.View, io.Writer) error {
		return func(_ *profile.View, w io.Writer) error { return show(difference(t, old, now, c), w) }
	}
	differText := func(o profile.Options) func(*profile.Difference, io.Writer) error {
		return func(d *profile.Difference, w io.Writer) error { return d.Text(w, o) }
	}
	for _, c := range []struct {
		name string
		view *profile.View
		show func(*profile.View, io.Writer) error
	}{
		{"wall.txt", view(t, wall, profile.Config{}), text(wide)},
		{"wall.ascii.txt", view(t, wall, profile.Config{Top: 3}), text(profile.Options{Width: 70})},
		{"wall.json", view(t, wall, profile.Config{}), (*profile.View).JSON},
		{"wall.collapsed", view(t, wall, profile.Config{}), (*profile.View).Collapsed},
		{"wall.svg", view(t, wall, profile.Config{}), (*profile.View).Flame},
		{"wall.all.txt", view(t, wall, profile.Config{Blocked: true}), text(wide)},
		{"wall.blocked.svg", view(t, wall, profile.Config{}), (*profile.View).FlameBlocked},
		{"benched.txt", view(t, benched, profile.Config{}), text(wide)},
		{"benched.all.txt", view(t, benched, profile.Config{Blocked: true}), text(wide)},
		{"benched.json", view(t, benched, profile.Config{}), (*profile.View).JSON},
		{"cpu.txt", view(t, cpu, profile.Config{}), text(wide)},
		{"cpu.color.txt", withoutPath(t, cpu, profile.Config{}), text(profile.Options{Width: 60, Color: true})},
		{"cpu.json", view(t, cpu, profile.Config{}), (*profile.View).JSON},
		{"cpu.collapsed", view(t, cpu, profile.Config{}), (*profile.View).Collapsed},
		{"cpu.svg", view(t, cpu, profile.Config{}), (*profile.View).Flame},
		{"stopped.txt", withoutPath(t, stopped, profile.Config{Top: 3}), text(profile.Options{UTF8: true})},
		{"doubted.txt", view(t, cpu, doubted), text(wide)},
		{"doubted.ascii.txt", withoutPath(t, cpu, doubted), text(profile.Options{Width: 60})},
		{"doubted.json", view(t, cpu, doubted), (*profile.View).JSON},
		{"woven.txt", view(t, woven, profile.Config{}), text(wide)},
		{"woven.calls.txt", view(t, woven, profile.Config{Type: "calls"}), text(wide)},
		{"woven.json", view(t, woven, profile.Config{}), (*profile.View).JSON},
		{"idle.txt", view(t, idle, profile.Config{}), text(wide)},
		{"idle.80.txt", view(t, idle, profile.Config{}), text(profile.Options{UTF8: true, Width: 80})},
		{"idle.60.txt", view(t, idle, profile.Config{}), text(profile.Options{UTF8: true, Width: 60})},
		{"idle.json", view(t, idle, profile.Config{}), (*profile.View).JSON},
		{"server.svg", view(t, before, profile.Config{}), (*profile.View).Flame},
		{"server.total.txt", view(t, before, selected(textpage.Selection{Sort: textpage.SortTotal})), text(wide)},
		{"server.focus.txt", view(t, before, selected(textpage.Selection{Focus: store})), text(wide)},
		{"server.ignore.txt", view(t, before, selected(textpage.Selection{Ignore: library})), text(wide)},
		{"server.both.json", view(t, before, selected(textpage.Selection{Focus: store, Ignore: library})), (*profile.View).JSON},
		{"server.focus.collapsed", view(t, before, selected(textpage.Selection{Focus: store})), (*profile.View).Collapsed},
		{"server.focus.svg", view(t, before, selected(textpage.Selection{Focus: store})), (*profile.View).Flame},
		{"server.nothing.txt", view(t, before, selected(textpage.Selection{Focus: regexp.MustCompile("nowhere")})), text(wide)},
		{"server.peek.txt", view(t, before, selected(textpage.Selection{Peek: regexp.MustCompile("serve$|gcDrain")})), text(wide)},
		{"wall.peek.ascii.txt", view(t, wall, selected(textpage.Selection{Peek: regexp.MustCompile("crunch")})), text(profile.Options{Width: 70})},
		{"difference.txt", nil, differ(before, after, profile.Config{}, differText(wide))},
		{"difference.ascii.txt", nil, differ(before, after, profile.Config{Top: 3}, differText(profile.Options{Width: 70}))},
		{"difference.total.txt", nil, differ(before, after, selected(textpage.Selection{Sort: textpage.SortTotal}), differText(wide))},
		{"difference.focus.txt", nil, differ(before, after, selected(textpage.Selection{Focus: store}), differText(wide))},
		{"difference.json", nil, differ(before, after, profile.Config{}, (*profile.Difference).JSON)},
		{"difference.svg", nil, differ(before, after, profile.Config{}, (*profile.Difference).Flame)},
		{"difference.nothing.svg", nil, differ(before, after, selected(textpage.Selection{Focus: regexp.MustCompile("nowhere")}), (*profile.Difference).Flame)},
		{"difference.woven.txt", nil, differ(woven, wovenAgain, profile.Config{}, differText(wide))},
		{"difference.wall.txt", nil, differ(wall, stopped, profile.Config{}, differText(wide))},
		{"asleep.txt", view(t, asleep, profile.Config{}), text(wide)},
		{"empty.txt", view(t, empty, profile.Config{}), text(wide)},
		{"empty.json", view(t, empty, profile.Config{}), (*profile.View).JSON},
		{"empty.collapsed", view(t, empty, profile.Config{}), (*profile.View).Collapsed},
		{"empty.svg", view(t, empty, profile.Config{}), (*profile.View).Flame},
		{"wall.callgrind", view(t, wall, profile.Config{}), (*profile.View).Callgrind},
		{"woven.callgrind", view(t, woven, profile.Config{}), (*profile.View).Callgrind},
		{"empty.callgrind", view(t, empty, profile.Config{}), (*profile.View).Callgrind},
		{"wall.speedscope.json", view(t, wall, profile.Config{}), (*profile.View).Speedscope},
		{"empty.speedscope.json", view(t, empty, profile.Config{}), (*profile.View).Speedscope},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.show(c.view, &b); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(c.name, ".svg") { // the script is that of a file of its own
				b = *bytes.NewBuffer(scriptElement.ReplaceAll(b.Bytes(), nil))
			}
			path := filepath.Join("testdata", c.name)
			if *update {
				os.Remove(path + ".got")
				if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v (run go test -update)", err)
			}
			if bytes.Equal(want, b.Bytes()) {
				os.Remove(path + ".got")
				return
			}
			if err := os.WriteFile(path+".got", b.Bytes(), 0o666); err != nil {
				t.Error(err)
			}
			t.Errorf("differs from the golden file: diff internal/show/subjects/profile/%s internal/show/subjects/profile/%s.got", path, path)
		})
	}
}

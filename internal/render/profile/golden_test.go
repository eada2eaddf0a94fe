package profile_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tarebench/tare/internal/render/profile"
	"github.com/tarebench/tare/record"
)

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
	waits := profile.Config{States: []string{record.StateWaiting}}
	for _, c := range []struct {
		name string
		view *profile.View
		show func(*profile.View, io.Writer) error
	}{
		{"wall.txt", view(t, wall, profile.Config{}), text(wide)},
		{"wall.ascii.txt", view(t, wall, profile.Config{Top: 3}), text(profile.Options{Width: 70})},
		{"wall.blocked.txt", view(t, wall, waits), text(wide)},
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
		{"asleep.txt", view(t, asleep, profile.Config{}), text(wide)},
		{"empty.txt", view(t, empty, profile.Config{}), text(wide)},
		{"empty.json", view(t, empty, profile.Config{}), (*profile.View).JSON},
		{"empty.collapsed", view(t, empty, profile.Config{}), (*profile.View).Collapsed},
		{"empty.svg", view(t, empty, profile.Config{}), (*profile.View).Flame},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := c.show(c.view, &b); err != nil {
				t.Fatal(err)
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
			t.Errorf("differs from the golden file: diff internal/render/profile/%s internal/render/profile/%s.got", path, path)
		})
	}
}

package benchorder

import (
	"strings"
	"testing"
)

func order(args ...string) Order { return Order{Args: args, Machine: "a", Group: "g-1"} }

func TestCommand(t *testing.T) {
	for args, want := range map[string]string{
		"":                              "",
		"--against main ./...":          "--against=main ./...",
		"--against=HEAD~2 ./codec sort": "--against=HEAD~2 ./codec sort",
		"--quick --forks 6 -- ":         "error",
		"--bench Encode|Decode --time 1ms --budget 5m --prof mem,sched": "--bench=Encode|Decode --time=1ms --budget=5m --prof=mem,sched",
		"--confidence 99% --threshold 0.02 --cpu 1,2":                   "--confidence=99% --threshold=0.02 --cpu=1,2",
		"./... --quick": "--quick=true ./...", // flags may follow packages, as in tare bench
	} {
		got, err := order(strings.Fields(args)...).command()
		if text := strings.Join(got, " "); (err != nil) != (want == "error") || err == nil && text != want {
			t.Errorf("%s: %q, %v", args, text, err)
		}
	}
}

// TestRefused: an order names no files, runs no commands and sets no variables, however it is spelled.
func TestRefused(t *testing.T) {
	for _, args := range [][]string{
		{"-o", "/etc/x.jsonl"}, {"-o=/etc/x"}, {"--output", "x"}, {"--resume", "x.jsonl"}, {"--env", "LD_PRELOAD=x"}, {"--env=A=b"},
		{"--side", "new=/tmp/x"}, {"--side-flags", "new=-toolexec=rm"}, {"--side-env", "new=A=b"}, {"--toolchain", "new=go1.0"},
		{"--toolexec", "rm"}, {"--live", "0.0.0.0:80"}, {"--live-token", "@/etc/passwd"}, {"--gate", "slower:5%"}, {"--format", "html"},
		{"--", "-test.cpuprofile=x"}, {"./...", "--", "-x"}, {"--no-lock"}, {"--dry-run"}, {"-h"}, {"--help"}, {"-v"},
		{"--against", "--output=/etc/x"}, {"--against", "-n"}, {"--against", ""}, {"--against", "main\nx"}, {"--against", "a b"},
		{"--against=$(rm x)"}, {"--against", ":/etc"}, {"--prof", "asm=/x"}, {"--tags", "a -toolexec=x"}, {"--forks", "-1"},
		{"--forks", "99999999"}, {"--bench", "a\x00b"}, {"--time", "1h --env=x"}, {"--gogc", "/x"}, {"--benchtime", "1h"},
		{"/etc"}, {"../x"}, {"./../x"}, {"a/../../x"}, {".."}, {"../..."}, {"x@latest"}, {"example.org/x@v1.2.3"}, {"C:\\x"}, {"~/x"}, {"$HOME"}, {"a b"}, {""},
	} {
		if got, err := order(args...).command(); err == nil {
			t.Errorf("%q becomes %q", args, got)
		}
	}
	for _, o := range []Order{{}, {Machine: "a"}, {Group: "g"}, {Machine: "../a", Group: "g"}, {Machine: "a", Group: "g/h"}, {Machine: ".a", Group: "g"}, {Machine: "a\n", Group: "g"}} {
		if o.Validate() == nil {
			t.Errorf("%+v is valid", o)
		}
	}
}

// FuzzCommand: what is understood is understood in the same way again, and holds no flag that is not allowed.
func FuzzCommand(f *testing.F) {
	f.Add("--against\x1fmain\x1f./...")
	f.Add("--bench=x\x1f--quick\x1fsort")
	f.Add("--prof\x1fmem\x1f--\x1f-x")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := order(strings.Split(text, "\x1f")...).command()
		if err != nil {
			return
		}
		for _, arg := range got {
			flag, isFlag := strings.CutPrefix(arg, "--")
			name, value, _ := strings.Cut(flag, "=")
			if pattern := words[name]; isFlag && pattern == nil && !isSwitch(name) || isFlag && pattern != nil && !pattern.MatchString(value) || !isFlag && strings.HasPrefix(arg, "-") {
				t.Fatalf("%q becomes %q", text, got)
			}
		}
		again, err := order(got...).command()
		if err != nil || strings.Join(again, "\x1f") != strings.Join(got, "\x1f") {
			t.Fatalf("%q, then %q, %v", got, again, err)
		}
	})
}

func isSwitch(name string) bool {
	for _, s := range switches {
		if s == name {
			return true
		}
	}
	return false
}

package asm

import (
	"reflect"
	"strings"
	"testing"
)

// TestReadScript: each form that perf script prints samples in.
func TestReadScript(t *testing.T) {
	for _, c := range []struct {
		what, text string
		want       []scriptSample
	}{
		{"by default", `
            burn  9442 14391.879834:     250689 cpu-clock:  ffffffff821ed4e6 do_syscall_64+0x46 ([kernel.kallsyms])
    Web Content 99/100 [003] 14391.880573:          1 cycles:pppH:            45493c runtime.sysmon+0x33c (/tmp/pe/burn)
`, []scriptSample{
			{"cpu-clock", 250689, frame{0xffffffff821ed4e6, "do_syscall_64", 0x46, "[kernel.kallsyms]"}},
			{"cycles:pppH", 1, frame{0x45493c, "runtime.sysmon", 0x33c, "/tmp/pe/burn"}},
		}},
		{"-F time,event,ip,sym,dso", "# a comment\n14391.88: cpu-clock:   4896fc main.half (/tmp/pe/burn)\n 1.5: cycles:u: 12 [unknown] ([unknown])\n", []scriptSample{
			{"cpu-clock", 0, frame{0x4896fc, "main.half", -1, "/tmp/pe/burn"}},
			{"cycles:u", 0, frame{0x12, "", -1, ""}},
		}},
		{"symbols with blanks", "1.0: cycles: 10 operator new(unsigned long)+0x2 (/usr/lib/a b.so)\n1.0: cycles: 20 main.f[go.shape.struct { X int }] (/tmp/f (deleted))\n", []scriptSample{
			{"cycles", 0, frame{0x10, "operator new(unsigned long)", 2, "/usr/lib/a b.so"}},
			{"cycles", 0, frame{0x20, "main.f[go.shape.struct { X int }]", -1, "/tmp/f"}},
		}},
		{"call chains", `burn  9456 14393.221061:    1003009  cpu-clock:
	           896b2 main.burn+0x12 (/tmp/pe/burn)
	           475d5 runtime.main+0x2d5 (/tmp/pe/burn)

burn  9456 14393.222079:    1003009  cpu-clock:
	           896b3 main.burn+0x13 (/tmp/pe/burn)
`, []scriptSample{
			{"cpu-clock", 1003009, frame{0x896b2, "main.burn", 0x12, "/tmp/pe/burn"}},
			{"cpu-clock", 1003009, frame{0x896b3, "main.burn", 0x13, "/tmp/pe/burn"}},
		}},
		{"assembly", "1.0: cycles: 10 runtime.futex.abi0+0x23 (/b)\n", []scriptSample{{"cycles", 0, frame{0x10, "runtime.futex", 0x23, "/b"}}}},
		{"nothing", "\n\n# no samples\n", nil},
	} {
		var got []scriptSample
		err := readScript(strings.NewReader(c.text), func(s scriptSample) { got = append(got, s) })
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v\nwant %+v", c.what, got, err, c.want)
		}
	}
}

func TestReadScriptBad(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"PERFILE2\x00\x01", "line 1"},
		{"1.0: cycles: 10 f (/b)\nburn 12 at work\n", `line 2: "burn 12 at work" is not a sample of perf script`},
		{"1.0: cycles: main.f (/b)\n", "line 1: \"1.0: cycles: main.f (/b)\" has no address"},
		{"1.0: cycles:\n here (/b)\n", "line 2: \"here (/b)\" is not an address"},
		{"1.0: 12\n", "line 1"},
		{"1.0: " + strings.Repeat("x", maxScriptLine), "a line of more than"},
	} {
		err := readScript(strings.NewReader(c.text), func(scriptSample) {})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestEventName(t *testing.T) {
	for _, c := range []struct {
		printed, name string
		precise       bool
	}{
		{"cycles", "cycles", false}, {"cycles:pppH", "cycles:ppp", true}, {"cycles:Pu", "cycles:u", false}, {"cycles:p", "cycles:p", false},
		{"cpu-clock:pppH", "cpu-clock", false}, {"cpu-clock", "cpu-clock", false}, {"cpu_core/cycles/:u", "cpu_core/cycles/:u", false},
	} {
		if name, precise := eventName(c.printed); name != c.name || precise != c.precise {
			t.Errorf("%s: %s, %v", c.printed, name, precise)
		}
	}
}

func FuzzReadScript(f *testing.F) {
	f.Add("burn  9442 14391.879834:     250689 cpu-clock:  ffffffff821ed4e6 do_syscall_64+0x46 ([kernel.kallsyms])\n")
	f.Add("burn 1 1.5: 3 cycles:\n\t 12 f+0x3 (/b)\n\t 13 g (/b)\n\n1.0: cycles: 1 ()\n")
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		err := readScript(strings.NewReader(text), func(s scriptSample) {
			n++
			if s.event == "" || s.offset < -1 || s.period < 0 {
				t.Errorf("%+v", s)
			}
		})
		if err == nil && n > strings.Count(text, "\n")+1 {
			t.Errorf("%d samples in %d lines", n, strings.Count(text, "\n")+1)
		}
	})
}

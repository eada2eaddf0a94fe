package asm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/internal/profile/asm"
	"github.com/tarebench/tare/record"
)

// entry is where a function of a program begins, as linked.
func entry(t *testing.T, bin, name string) uint64 {
	t.Helper()
	f, err := objfile.Open(bin)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	table, err := f.Functions()
	if err != nil {
		t.Fatal(err)
	}
	list := table.Named(name)
	if len(list) != 1 {
		t.Fatalf("%d functions %s", len(list), name)
	}
	return list[0].Entry
}

// TestFromScript: with offsets and without, of programs that were loaded where they were
// linked and elsewhere.
func TestFromScript(t *testing.T) {
	for _, flags := range [][]string{nil, {"-buildmode=pie"}} {
		bin := burner(t, flags...)
		at := map[string]uint64{"main.burn": entry(t, bin, "main.burn"), "main.half": entry(t, bin, "main.half")}
		bias := uint64(0)
		if flags != nil {
			bias = 0x55d3_0a1f_c000
		}
		for _, offsets := range []bool{true, false} {
			var text strings.Builder
			for i := range 30 {
				name := []string{"main.burn", "main.half", "main.burn"}[i%3]
				off := uint64(3 * i % 50)
				sym := name
				if offsets {
					sym += fmt.Sprintf("+%#x", off)
				}
				fmt.Fprintf(&text, "burn 1 %d.5: 250000 cpu-clock: %x %s (%s)\n", i, at[name]+bias+off, sym, bin)
			}
			fmt.Fprintf(&text, "burn 1 31.5: 250000 cpu-clock: ffffffff81000010 do_idle+0x10 ([kernel.kallsyms])\n")
			fmt.Fprintf(&text, "burn 1 32.5: 250000 cpu-clock: 7fff00000010 __vdso_gettimeofday+0x10 ([vdso])\n")
			fmt.Fprintf(&text, "burn 1 33.5: 250000 cpu-clock: 7f0000000010 malloc+0x10 (/lib/not-here.so.6)\n")
			fmt.Fprintf(&text, "burn 1 34.5: 250000 cpu-clock: 10 [unknown] ([unknown])\n")
			a, _, err := asm.FromScript(strings.NewReader(text.String()), "", asm.Config{})
			if err != nil {
				t.Fatalf("%v, %v: %v", flags, offsets, err)
			}
			sound(t, a)
			for name, want := range map[string]int64{"main.burn": 20, "main.half": 10, "do_idle": 1, "[vdso]": 1, "[not-here.so.6]": 1, "[unknown]": 1} {
				if got := function(t, a, name).Samples[0]; got != want {
					t.Errorf("%v, %v: %d samples of %s, want %d", flags, offsets, got, name, want)
				}
			}
			if f := function(t, a, "main.burn"); f.Entry != at["main.burn"] || len(f.Code) == 0 || f.Counts[0].Addr != f.Entry {
				t.Errorf("%v, %v: %+v", flags, offsets, f)
			}
			if e := a.Events[0]; e.Samples != 34 || e.Kernel != 1 || e.Period != 250000 || a.Source != record.AsmScript {
				t.Errorf("%+v of %s", e, a.Source)
			}
		}
	}
}

// TestFromScriptBad: what is no such text, and what is of another build.
func TestFromScriptBad(t *testing.T) {
	bin := burner(t)
	at := entry(t, bin, "main.burn")
	sample := func(ip uint64, sym, dso string) string {
		return fmt.Sprintf("burn 1 1.5: 1 cycles: %x %s (%s)\n", ip, sym, dso)
	}
	for _, c := range []struct{ text, binary, want string }{
		{"", bin, "no samples: want the text of perf script"},
		{"what is this\n", bin, "line 1"},
		{sample(at, "main.burn", "/bin/other"), bin, "no samples of " + bin + "; there are samples of /bin/other"},
		{sample(at, "main.half", bin) + sample(at+0x100000, "main.burn", bin), bin, "it is another build"},
		{sample(at, "main.burn", "/not/burn"), "/not/here/burn", "no such file"},
	} {
		_, _, err := asm.FromScript(strings.NewReader(c.text), c.binary, asm.Config{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if a, _, err := asm.FromScript(strings.NewReader(sample(at, "main.burn", "/elsewhere/burn")), bin, asm.Config{}); err != nil || function(t, a, "main.burn").Samples[0] != 1 {
		t.Errorf("the same file under another name: %v", err)
	}
	if _, _, err := asm.FromScript(strings.NewReader(sample(at, "main.burn", bin)), "", asm.Config{Keep: -1}); err == nil {
		t.Error("a negative share passed")
	}
}

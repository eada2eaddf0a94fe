package instructions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/process/profiler"
	"github.com/tarebench/tare/record"
)

// TestOtherProcessor: functions that ask the processor are named from 1 % on, if the processor has what valgrind's lacks.
func TestOtherProcessor(t *testing.T) {
	const src = "/usr/local/go/src/"
	lo := counts{0, map[row]int64{}}
	for file, want := range map[string]bool{
		src + "math/big/arith_amd64.s": true, "math/big/arith_amd64.s": true, src + "internal/runtime/gc/scan/scan_amd64.go": true,
		src + "crypto/internal/fips140/bigmod/nat_amd64.s": true, "/m/fast_amd64.s": true, "/m/fast.go": false,
		src + "math/big/nat.go": false, src + "hash/crc32/crc32_amd64.go": false,
	} {
		for share, enough := range map[int64]bool{50: true, 5: false} {
			hi := counts{1000, map[row]int64{{"example.com/x.asking", file, 3}: share, {"example.com/x.rest", "/x/x.go", 1}: 1000 - share}}
			f := &fork{lacks: []string{"AVX-512", "ADX"}}
			w := f.otherProcessor(lo, hi)
			if (w != nil) != (want && enough) {
				t.Errorf("%d of 1000 in %s: %v", share, file, w)
			}
			if w != nil && !(strings.Contains(w.Text, "5.0 %") && strings.HasSuffix(w.Text, ": example.com/x.asking") && strings.Contains(w.Text, "AVX-512, ADX") && w.Advice != "") {
				t.Errorf("%+v", w)
			}
			if w := (&fork{}).otherProcessor(lo, hi); w != nil {
				t.Errorf("a processor that lacks the same: %+v", w)
			}
		}
	}
}

// TestNotChoosing: assembly of the standard library that asks for AVX2 at most, or for nothing, is not among those functions.
func TestNotChoosing(t *testing.T) {
	for fn, file := range map[string]string{
		"runtime.memmove": "runtime/memmove_amd64.s", "indexbytebody": "internal/bytealg/indexbyte_amd64.s",
		"internal/chacha8rand.block": "internal/chacha8rand/chacha8_amd64.s", "math.archFloor": "math/floor_amd64.s",
	} {
		if choosesByProcessor(&row{fn: fn, file: "/usr/local/go/src/" + file}) || choosesByProcessor(&row{fn: fn, file: file}) {
			t.Errorf("%s in %s", fn, file)
		}
	}
}

func TestMissingFeatures(t *testing.T) {
	for flags, want := range map[string][]string{"fpu avx2 rdtscp": nil, "avx2 avx512f adx avx512bw": {"AVX-512", "ADX"}, "": nil} {
		path := filepath.Join(t.TempDir(), "cpuinfo")
		if err := os.WriteFile(path, []byte("processor\t: 0\nflags\t\t: "+flags+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := missingFeatures(path); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", flags, got, want)
		}
	}
	if got := missingFeatures(filepath.Join(t.TempDir(), "none")); got != nil {
		t.Errorf("no file: %v", got)
	}
}

// TestDiagnose: a program that valgrind cannot run is recognised by valgrind's log, and a binary for another processor by
// its failure to start.
func TestDiagnose(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	f, err := newFork("valgrind", &record.Case{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.End()
	var _ profiler.Diagnoser = f
	if err := f.Diagnose("panic: x"); err != nil {
		t.Errorf("without a log: %v", err)
	}
	for log, want := range map[string]error{
		"==1== Cachegrind\n==1== I refs: 5\n": nil,
		"vex amd64->IR: unhandled instruction bytes: 0x62 0xF1 0x7C 0x48\n==1== valgrind: Unrecognised instruction": errAVX512,
		"vex amd64->IR: unhandled instruction bytes: 0xC5 0xFA\n":                                                   errInstruction,
	} {
		if err := os.WriteFile(f.log(), []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := f.Diagnose("SIGILL: illegal instruction"); got != want {
			t.Errorf("%q: %v, want %v", log, got, want)
		}
	}
	if got := f.Diagnose("This program can only be run on AMD64 processors with v4 microarchitecture support.\n"); got != errGOAMD64 {
		t.Errorf("GOAMD64=v4: %v", got)
	}
}

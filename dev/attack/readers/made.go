//go:build linux

package readers

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/tarebench/tare/dev/attack/target"
)

// source is a program with structs, generics, interfaces and inlined calls.
const source = `package main

import "os"

type Ring[T any] struct {
	head uint64
	full bool
	tail uint64
	room []T
}

func (r *Ring[T]) Add(x T) { r.room = append(r.room, x); r.tail++ }

type shape interface{ area() float64 }

type square struct{ side float64; name string; next *square }

func (s *square) area() float64 { return s.side * s.side }

func main() {
	var ring Ring[int]
	var s shape = &square{side: float64(len(os.Args))}
	for i := range 1000 {
		ring.Add(i)
	}
	println(s.area() > 0, ring.tail)
}
`

// build builds the program once for all readers that need one.
func build(c target.Config) (string, error) {
	dir := filepath.Join(c.Work, "program")
	bin := filepath.Join(dir, "program")
	if _, err := os.Stat(bin); err == nil {
		return bin, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	for name, text := range map[string]string{"go.mod": "module example.org/program\n\ngo 1.24\n", "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-trimpath", "-o", bin, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, out)
	}
	return bin, nil
}

// profiles are of this process, and each is read beside the program that they are about,
// as far as a reader can tell.
func profiles(c target.Config) (reader, error) {
	self, err := os.Executable()
	if err != nil {
		return reader{}, err
	}
	var cpu bytes.Buffer
	if err := pprof.StartCPUProfile(&cpu); err != nil {
		return reader{}, err
	}
	sum := byte(0)
	for until := time.Now().Add(300 * time.Millisecond); time.Now().Before(until); {
		for _, b := range []byte(source) {
			sum ^= b
		}
	}
	pprof.StopCPUProfile()
	bases := []base{{"cpu", cpu.Bytes(), words("asm FILE "+self, "asm --format json FILE "+self)}}
	for _, name := range []string{"heap", "goroutine", "allocs"} {
		var out bytes.Buffer
		if err := pprof.Lookup(name).WriteTo(&out, 0); err != nil {
			return reader{}, err
		}
		bases = append(bases, base{name, out.Bytes(), words("asm FILE " + self)})
	}
	return reader{name: "profiles", suffix: ".pprof", binary: true, bases: bases}, nil
}

// scripts are what perf script prints, in each of its forms.
func scripts(c target.Config) (reader, error) {
	bin, err := build(c)
	if err != nil {
		return reader{}, err
	}
	lines := words("asm FILE "+bin, "asm --format json FILE "+bin)
	texts := []string{
		"            burn  9442 14391.879834:     250689 cpu-clock:  ffffffff821ed4e6 do_syscall_64+0x46 ([kernel.kallsyms])\n" +
			"    Web Content 99/100 [003] 14391.880573:          1 cycles:pppH:            45493c runtime.sysmon+0x33c (" + bin + ")\n",
		"# a comment\n14391.88: cpu-clock:   4896fc main.main (" + bin + ")\n 1.5: cycles:u: 12 [unknown] ([unknown])\n",
		"1.0: cycles: 10 operator new(unsigned long)+0x2 (/usr/lib/a b.so)\n1.0: cycles: 20 main.f[go.shape.struct { X int }] (" + bin + " (deleted))\n",
		"burn  9456 14393.221061:    1003009  cpu-clock:\n\t           896b2 main.main+0x12 (" + bin + ")\n\t           475d5 runtime.main+0x2d5 (" + bin + ")\n\n",
	}
	var bases []base
	for i, text := range texts {
		bases = append(bases, base{fmt.Sprintf("form %d", i+1), []byte(strings.Repeat(text, 5)), lines})
	}
	return reader{name: "perf scripts", suffix: ".txt", bases: bases}, nil
}

// programs are binaries, read for layouts and beside a profile. The profile's addresses
// are of another program, which nothing in it says.
func programs(c target.Config) (reader, error) {
	bin, err := build(c)
	if err != nil {
		return reader{}, err
	}
	data, err := os.ReadFile(bin)
	if err != nil {
		return reader{}, err
	}
	script := filepath.Join(c.Work, "program", "script.txt")
	text := fmt.Sprintf("1.0: cycles: 10 main.main+0x10 (%[1]s)\n1.0: cycles: 10 main.main+0x20 (%[1]s)\n", bin)
	if err := os.WriteFile(script, []byte(text), 0o666); err != nil {
		return reader{}, err
	}
	lines := words("layout --binary FILE Ring[int] square", "layout --binary FILE --all runtime --format json", "asm "+script+" FILE")
	bases := []base{{"program", data, lines}}
	return reader{name: "programs", suffix: "", binary: true, bases: bases}, nil
}

// properties are YCSB's workload files.
func properties(c target.Config) (reader, error) {
	load := "--db mock --dry-run --rate 100 --duration 1s"
	bases, err := files(c, "load/ycsb/testdata/errors/*.properties", words("load --workload FILE "+load, "load --workload a -P FILE "+load))
	if err != nil {
		return reader{}, err
	}
	real := "# a workload\nrecordcount=1000\noperationcount=1000\nworkload=site.ycsb.workloads.CoreWorkload\nreadallfields=true\nreadproportion=0.5\n" +
		"updateproportion=0.4\nscanproportion=0.05\ninsertproportion=0.05\nrequestdistribution=zipfian\nfieldcount=10\nfieldlength=100\n" +
		"maxscanlength=1000\nscanlengthdistribution=uniform\ninsertorder=hashed\nhotspotdatafraction=0.2\nhotspotopnfraction=0.8\nmock.delay=1ms\n"
	slices.SortFunc(bases, func(a, b base) int { return strings.Compare(a.name, b.name) })
	bases = append([]base{{"workload", []byte(real), words("load --workload FILE "+load, "load --workload a -P FILE "+load)}}, bases...)
	return reader{name: "workload properties", suffix: ".properties", bases: bases}, nil
}

// histograms are YCSB's files of field lengths.
func histograms(target.Config) (reader, error) {
	lines := words("load --workload a --db mock --dry-run --rate 100 --duration 1s -p fieldlengthdistribution=histogram -p fieldlengthhistogram=FILE")
	real := "BlockSize\t10\n0\t12\n1\t40\n2\t31\n5\t7\n9\t1\n"
	return reader{name: "field length histograms", suffix: ".txt", bases: []base{{"lengths", []byte(real), lines}}}, nil
}

// schedules are files of due times.
func schedules(target.Config) (reader, error) {
	lines := words("load --workload a --db mock --dry-run --replay FILE")
	return reader{name: "due times", suffix: ".txt", bases: []base{
		{"durations", []byte("0s\n1.5ms\n2ms\n2ms\n3.75ms\n1s\n"), lines},
		{"nanoseconds", []byte("0\n100000\n250000\n250000\n1000000000\n"), lines},
	}}, nil
}

//go:build linux

package measuring

import (
	"net"
	"net/http"
	_ "net/http/pprof" // which a verb samples
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// verb is a command line that measures.
type verb struct {
	name    string
	args    []string
	plan    int  // forks that a complete run has; 0: not counted
	forks   bool // its figures are forks, one line each in benchfmt
	load    bool // its figures are histograms
	resumes bool // --resume completes it
	nothing bool // it writes no record

	profiles []string // purposes of the forks without which there is nothing to report, one of each
	codes    []int    // exit codes of a good run besides 0
}

// record is the file that a verb writes.
const record = "run.jsonl"

func verbs() []verb {
	all := []verb{
		{name: "bench", args: strings.Fields("bench --no-wait --no-repeat --forks 12 --warmup 0 --iterations 1 --time 2ms -o run.jsonl ."), plan: 24, forks: true, resumes: true},
		{name: "bench --side", args: strings.Fields("bench --no-wait --no-repeat --forks 6 --warmup 0 --iterations 1 --time 2ms --side a=. --side b=../b -o run.jsonl"), plan: 24, forks: true, resumes: true},
		{name: "bench --prof", args: strings.Fields("bench --no-wait --no-repeat --forks 6 --prof-forks 3 --warmup 0 --iterations 1 --time 2ms --prof mem,sample -o run.jsonl ."), plan: 12, forks: true, resumes: true},
		{name: "time", plan: 24, forks: true},
		{name: "load", args: strings.Fields("load --workload a --db mock -p mock.delay=1ms --rate 500 --records 100 --duration 1s --warmup-duration 100ms --status-interval 50ms -o run.jsonl"), load: true},
		{name: "load --search", args: strings.Fields("load --workload a --db mock -p mock.delay=1ms --search p99<5s --start 100 --most 400 --records 100 --duration 200ms --warmup-duration 50ms --status-interval 50ms -o run.jsonl"), load: true, codes: []int{3}},
		{name: "load --rates", args: strings.Fields("load --workload a --db mock -p mock.delay=1ms --rates 100,200,400 --records 100 --duration 300ms --warmup-duration 50ms --status-interval 50ms -o run.jsonl"), load: true},
		{name: "trace", args: strings.Fields("trace --no-wait --include main.* -o run.jsonl ."), profiles: []string{"trace"}},
		{name: "sample", args: strings.Fields("sample --no-wait -o run.jsonl ."), profiles: []string{"sample"}},
		{name: "sample --url", args: strings.Fields("sample --url " + address + " --duration 1s -o run.jsonl"), profiles: []string{"sample"}},
		{name: "asm", args: strings.Fields("asm --no-wait --forks 2 --iterations 1 --time 5ms -o run.jsonl ."), profiles: []string{"asm"}},
		{name: "contrast", args: strings.Fields("contrast --no-wait --include main.* -o run.jsonl ."), profiles: []string{"trace", "sample"}},
		{name: "selftest", args: strings.Fields("selftest --no-wait --budget 5s --window 4 --time 2ms -o run.jsonl .")},
	}
	all[3].args = []string{"time", "--no-wait", "--runs", "12", "-o", "run.jsonl", "--against", "sh -c :", "--", "sh", "-c", "echo run >>ledger; sleep 0.01"}
	return all
}

// address stands for that of a process with net/http/pprof.
const address = "ADDRESS"

// withAddress starts a server of net/http/pprof for the verbs that need one, and puts its address into their
// command lines.
func (v *verb) withAddress() (stop func(), err error) {
	at := slices.Index(v.args, address)
	if at < 0 {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	v.args[at] = "http://" + l.Addr().String()
	s := &http.Server{Handler: http.DefaultServeMux} // of net/http/pprof
	go s.Serve(l)
	return func() { s.Close() }, nil
}

// Two modules whose benchmarks differ in a number, so that their binaries do.
const (
	module  = "module example.org/m\n\ngo 1.24\n"
	program = `package main

func work(n int) (s int) {
	for i := range n {
		s += i ^ s>>3
	}
	return s
}

func main() {
	s := 0
	for range 100 {
		s += work(SIZE)
	}
	println(s != 0)
}
`
	benchmarks = `package main

import "testing"

var sink int

func BenchmarkShort(b *testing.B) {
	for b.Loop() {
		sink = work(100)
	}
}

func BenchmarkLong(b *testing.B) {
	for b.Loop() {
		sink = work(SIZE)
	}
}
`
)

// writeModules writes them below dir, and returns the first.
func writeModules(dir string) (string, error) {
	for name, size := range map[string]string{"a": "10000", "b": "10001"} {
		sub := filepath.Join(dir, name)
		if err := os.MkdirAll(sub, 0o777); err != nil {
			return "", err
		}
		for file, text := range map[string]string{"go.mod": module, "m.go": program, "m_test.go": benchmarks} {
			if err := os.WriteFile(filepath.Join(sub, file), []byte(strings.ReplaceAll(text, "SIZE", size)), 0o666); err != nil {
				return "", err
			}
		}
	}
	return filepath.Join(dir, "a"), nil
}

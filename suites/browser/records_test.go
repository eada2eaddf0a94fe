package browser

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/record"
)

// benches describes a record of benchmarks that is made up: the same one each time.
type benches struct {
	seed  uint64
	forks int
	sides []string // none: one side without a name
	rows  []bench
	env   func(*record.Env)
}

// bench is a benchmark of such a record.
type bench struct {
	name   string
	ns     float64
	spread float64            // relative standard deviation of the forks; 0: 1 %
	change float64            // factor of the second side; 0: 1
	more   map[string]float64 // other units, with a standard deviation of 1 %
	exact  map[string]float64 // other units that are the same in all forks
	short  bool               // iterations measure far too little
}

const planned = 50e6 // ns of an iteration

// ops returns the operations of an iteration.
func (b bench) ops() int {
	if b.short {
		return int(2e5 / b.ns)
	}
	return int(planned / b.ns)
}

// record returns the lines.
func (b benches) record(t testing.TB) []byte {
	t.Helper()
	var out strings.Builder
	run := map[string]any{
		"k": "run", "v": 1, "tare": "v1.0.0", "start": "2026-01-02T03:04:05Z", "mono": 1 + b.seed, "command": []string{"tare", "bench", "--forks", fmt.Sprint(b.forks), "./..."},
		"seed": "7", "dir": "/src/m", "config": map[string]any{"packages": []string{"./..."}, "bench": ".", "cpu": []int{2}, "forks": b.forks, "warmup": 0, "iterations": 1, "time": planned,
			"timeout": 0, "order": "interleaved", "threshold": 0.03, "correction": "bh", "confidence": 0.95},
	}
	env := record.Env{OS: "linux", Arch: "amd64", Kernel: "6.12.0", CPU: "AMD EPYC 7B13", Cores: 8, Go: "go1.26.8", GOMAXPROCS: 8}
	if b.env != nil {
		b.env(&env)
	}
	run["env"] = env
	sides := b.sides
	if len(sides) == 0 {
		sides = []string{""}
	} else {
		var list []map[string]any
		for i, s := range sides {
			list = append(list, map[string]any{"name": s, "revision": strings.Repeat(fmt.Sprint(i+1), 40)})
		}
		run["sides"] = list
	}
	b.line(t, &out, run)
	for i, s := range sides {
		b.line(t, &out, map[string]any{"k": "bin", "id": i + 1, "pkg": "example.com/m", "side": s, "sha256": fmt.Sprintf("%064d", i+1), "size": 1 << 20, "dir": "/src/m"})
	}
	for s, side := range sides {
		for i, r := range b.rows {
			b.line(t, &out, map[string]any{"k": "case", "id": 1 + i + s*len(b.rows), "pkg": "example.com/m", "name": r.name, "params": record.ParseName(r.name),
				"side": side, "bin": s + 1, "procs": 8, "mode": "N", "n": r.ops(), "wall": int(planned)})
		}
	}
	b.line(t, &out, map[string]any{"k": "tare", "clock": 22.1, "loop": 0.26, "load": 0.4})
	b.measure(t, &out, sides)
	b.line(t, &out, map[string]any{"k": "tare", "launcher": 412000, "peak": 2 << 20, "steal": 0.002, "wall": 60e9, "planned": 61e9})
	b.line(t, &out, map[string]any{"k": "end", "state": "completed"})
	return []byte(out.String())
}

// measure writes the samples and forks, round by round.
func (b benches) measure(t testing.TB, out *strings.Builder, sides []string) {
	r := rand.New(rand.NewPCG(b.seed, 1))
	at, id := int64(1e9), 0
	for round := range b.forks {
		for s := range sides {
			for i, x := range b.rows {
				id++
				ns := x.ns * max(1+cmp.Or(x.spread, 0.01)*r.NormFloat64(), 0.2)
				if s > 0 && x.change > 0 {
					ns *= x.change
				}
				v := map[string]float64{"ns/op": ns}
				for unit, m := range x.more {
					v[unit] = m * (1 + 0.01*r.NormFloat64())
				}
				for unit, m := range x.exact {
					v[unit] = m
				}
				ops := x.ops()
				b.line(t, out, map[string]any{"k": "sample", "fork": id, "iter": 1, "phase": "measure", "t": at + 5e6, "wall": int(ns * float64(ops)), "ns": int(ns * float64(ops)), "ops": ops, "v": v})
				b.line(t, out, map[string]any{"k": "fork", "id": id, "case": 1 + i + s*len(b.rows), "bin": s + 1, "round": round + 1, "order": id, "purpose": "timing", "start": at,
					"wall": int(planned * 1.1), "setup": 1e6, "user": int(planned), "sys": 1e6, "vcsw": 3, "ivcsw": 1, "minflt": 600, "majflt": 0, "peak": 4 << 20, "exit": "0", "state": "ok"})
				at += int64(planned * 1.12)
			}
		}
	}
}

func (b benches) line(t testing.TB, out *strings.Builder, v map[string]any) {
	t.Helper()
	k := v["k"]
	delete(v, "k")
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(out, `{"k":%q,%s`+"\n", k, text[1:])
}

// writeRecord writes a record to a file of that name in a temporary directory, and returns its path.
func writeRecord(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// manyBenches returns n sub-benchmarks with 22 forks each, eight to a function, with two parameters.
func manyBenches(n int) benches {
	b := benches{seed: 3, forks: 22}
	for i := range n {
		size := []int{16, 256, 4096, 65536}[i%4]
		b.rows = append(b.rows, bench{
			name: fmt.Sprintf("Function%03d/size=%d/kind=%s", i/8, size, []string{"plain", "pooled"}[i/4%2]), ns: float64(40+i%97) * float64(size) / 16,
			exact: map[string]float64{"B/op": float64(16 + i%64), "allocs/op": float64(i % 5)},
		})
	}
	return b
}

// memoryBenches are caches of two sizes, with what they keep alive.
func memoryBenches() benches {
	b := benches{seed: 5, forks: 11}
	for i, size := range []string{"10k", "100k"} {
		for k, cache := range []string{"map", "lru", "clock", "tiny"} {
			entries := []float64{1e4, 1e5}[i]
			each := []float64{96, 176, 132, 118}[k]
			b.rows = append(b.rows, bench{
				name: "ReadThrough/cache=" + cache + "/size=" + size, ns: []float64{61, 118, 94, 83}[k] * float64(1+i),
				more:  map[string]float64{"usedHeap_settled-B": entries * each, "usedHeap_p50-B": entries * each * 1.4, "VmRSS-B": 6e6 + entries*each*1.9, "VmHWM-B": 8e6 + entries*each*2.2},
				exact: map[string]float64{"B/op": float64(48 * k), "allocs/op": float64(k)},
			})
		}
	}
	return b
}

// story is what a stranger should understand: a regression, a row that is not decided, one that is not trusted, and others.
func story() benches {
	b := benches{seed: 11, forks: 20, sides: []string{"main", "branch"}}
	for _, r := range []bench{
		{name: "Decode/size=1k", ns: 2400, change: 1.21},
		{name: "Decode/size=64k", ns: 151_000, change: 1.19},
		{name: "Encode/size=1k", ns: 1910, spread: 0.12, change: 1.02},
		{name: "Encode/size=64k", ns: 118_300},
		{name: "Parse", ns: 6820, change: 0.93, short: true},
		{name: "Format", ns: 610},
	} {
		r.exact = map[string]float64{"B/op": 64, "allocs/op": 2}
		b.rows = append(b.rows, r)
	}
	return b
}

// sizes are benchmarks that grow with n: by n log n, and by n.
func sizes() benches {
	b := benches{seed: 13, forks: 8}
	for _, n := range []int{10, 100, 1000, 10_000, 100_000} {
		log := 1.0
		for k := n; k > 2; k /= 2 {
			log++
		}
		b.rows = append(b.rows, bench{name: fmt.Sprintf("Sort/kind=heap/n=%d", n), ns: 3 * float64(n) * log}, bench{name: fmt.Sprintf("Sort/kind=radix/n=%d", n), ns: 200 + 9*float64(n)})
	}
	return b
}

// longLoad returns the record of a load run of the given length in seconds and rate in operations/s. Its intervals are of 1 s, and
// the system under test stalls halfway.
func longLoad(t testing.TB, seconds, rate int) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"k":"run","v":1,"kind":"load","tare":"v1.0.0","start":"2026-01-02T03:04:05Z","mono":9,"command":["tare","load","--rate","` + fmt.Sprint(rate) + `"],"seed":"7","config":{"packages":[],"bench":"","forks":0,"warmup":0,"iterations":0,"time":0,"timeout":0,"order":"","confidence":0,"load":{"db":"mock","name":"mock","workload":"c","arrivals":"constant ` + fmt.Sprint(rate) + `/s","rate":` + fmt.Sprint(rate) + `,"workers":8,"duration":` + fmt.Sprint(seconds) + `000000000}},"env":{"os":"linux","arch":"amd64","kernel":"6.12.0","cpu":"AMD EPYC 7B13","cores":8,"go":"go1.26.8","gomaxprocs":8}}` + "\n")
	b.WriteString(`{"k":"tare","clock":22.1,"load":0.4,"steal":0.002}` + "\n")
	r := rand.New(rand.NewPCG(17, 2))
	counts := ""
	for s := range seconds {
		at := fmt.Sprintf(`"start":%d,"length":1000000000`, int64(s)*int64(time.Second))
		counts = fmt.Sprintf(`"scheduled":%d,"started":%[1]d,"completed":%[1]d,"dropped":0,"unsent":0,"unfinished":0,"workers":8,"cpu":%d`, rate*(s+1), (s+1)*120_000_000)
		fmt.Fprintf(&b, `{"k":"load","phase":"run","iter":%d,%s,"asked":%d,"did":%d,%s}`+"\n", s+1, at, rate, rate, counts)
		for _, tag := range []string{record.TagResponse, record.TagService} {
			h := hist.New(hist.Config{})
			for range rate {
				ns := 0.4e6 * (1 + r.ExpFloat64())
				if tag == record.TagResponse && s == seconds/2 {
					ns += 40e6 * r.Float64()
				}
				h.Record(int64(ns))
			}
			data, err := h.Encode()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, `{"k":"hist","name":"READ","iter":%d,"tag":%q,%s,"unit":"ns","data":%q}`+"\n", s+1, tag, at, base64.StdEncoding.EncodeToString(data))
		}
	}
	fmt.Fprintf(&b, `{"k":"load","phase":"run","final":true,"start":0,"length":%d,"asked":%d,"did":%d,%s}`+"\n", int64(seconds)*int64(time.Second), rate, rate, counts)
	b.WriteString(`{"k":"end","state":"completed"}` + "\n")
	return []byte(b.String())
}

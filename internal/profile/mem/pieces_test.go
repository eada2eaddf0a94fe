package mem

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

func pieces(texts ...string) []*record.Attach {
	var out []*record.Attach
	for _, t := range texts {
		out = append(out, &record.Attach{Iter: 3, Name: record.AttachHeap, Data: []byte(t)})
	}
	return out
}

const (
	head = `{"how":"loop","rate":512,"growth":4096,"anchor":"a","at":1,"told":2,"others":3,"others_objects":10.5,"others_bytes":100.5`
	one  = `{"o":2,"s":64,"via":"runtime.newobject","entry":16,"ret":32,"f":[{"n":"p.make","p":"p/a.go","l":7},{"n":"p.Benchmark","p":"p/a.go","l":9}]}`
	two  = `{"o":1,"s":4096,"via":"runtime.makeslice","entry":48,"ret":64,"f":[{"n":"p.Benchmark","p":"p/a.go","l":8}]}`
)

func TestJoinPieces(t *testing.T) {
	for _, said := range [][]*record.Attach{
		pieces(head + `,"stacks":[` + one + `,` + two + `]}`),
		pieces(head+`}`, `{"stacks":[`+one+`,`+two+`]}`),
		pieces(head+`,"stacks":[`+one+`]}`, `{"stacks":[`+two+`]}`),
	} {
		s, err := joinPieces(said)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Stacks) != 2 || s.Stacks[0].Frames[1].Line != 9 || s.Stacks[1].Ret != 64 || s.Growth != 4096 || s.OthersBytes != 100.5 {
			t.Errorf("%+v", s)
		}
	}
}

// TestJoinPiecesRefuses: pieces that were lost, and other writes to the pipe, are errors.
func TestJoinPiecesRefuses(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{`x`, "piece 1"},
		{`{}`, "out of order"},
		{head + `,"stacks":[` + one + `]}`, "1 of 2 stacks came"},
		{head + `}|` + head + `}`, "piece 2 of 2 is out of order"},
		{head + `,"stacks":[` + one + `]}|{"stacks":[` + strings.Replace(two, `"o":1`, `"o":0`, 1) + `]}`, "0 objects"},
		{head + `,"stacks":[` + one + `,` + strings.Replace(two, `"s":4096`, `"s":-1`, 1) + `]}`, "-1 bytes"},
		{head + `,"stacks":[` + one + `,` + strings.Replace(two, `4096`, `4503599627370496`, 1) + `]}`, "stack 2"},
		{head + `,"stacks":[` + one + `,{"o":1,"s":1}]}`, "0 frames"},
		{strings.Replace(head, "loop", "never", 1) + `,"stacks":[` + one + `,` + two + `]}`, `"never"`},
		{strings.Replace(head, "100.5", "-1", 1) + `,"stacks":[` + one + `,` + two + `]}`, "-1 bytes"},
	} {
		_, err := joinPieces(pieces(strings.Split(c.name, "|")...))
		if !errors.Is(err, errAttachment) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%v, want %q", c.name, err, c.want)
		}
	}
}

// FuzzInterpret: nothing that a fork says makes it panic, and what is accepted adds up.
func FuzzInterpret(f *testing.F) {
	f.Add(head+`,"stacks":[`+one+`,`+two+`]}`, "")
	f.Add(head+`}`, `{"stacks":[`+one+`,`+two+`]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		said := pieces(a)
		if b != "" {
			said = pieces(a, b)
		}
		lines, err := Heap("").Interpret("no such file", said)
		if err != nil {
			return
		}
		var h record.Heap
		if err := json.Unmarshal(lines[0].(*record.Attach).Data, &h); err != nil {
			t.Fatal(err)
		}
		bytes := h.Rest.Bytes
		for _, s := range h.Sites {
			bytes += s.Bytes
		}
		if d := h.Bytes - bytes; d < -100 || d > 100 || len(h.Sites) > maxSites || h.NoTypes == "" {
			t.Errorf("%d bytes, of which %d are listed; %d sites; %q", h.Bytes, bytes, len(h.Sites), h.NoTypes)
		}
	})
}

// TestEstimate: the estimate from samples that are drawn as the runtime draws them is
// right, and has the standard deviation that is reported.
func TestEstimate(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %#x", seed)
	rnd := rand.New(rand.NewPCG(seed, 2))
	const objects, draws = 2_000, 200
	for _, size := range []int64{16, 64, 512, 2048, 100_000} {
		s := heapSamples{Rate: 512}
		var sum, squares, variances float64
		for range draws {
			x := stack{Sampled: drawn(rnd, objects, size, s.Rate), Size: size}
			_, bytes, variance := s.estimate(&x)
			sum, squares, variances = sum+bytes, squares+bytes*bytes, variances+variance
		}
		mean := sum / draws
		sd, want := math.Sqrt(max(squares/draws-mean*mean, 0)), math.Sqrt(variances/draws)
		truth := float64(objects * size)
		if off := math.Abs(mean-truth) / (want/math.Sqrt(draws) + 1e-9*truth); off > 6 {
			t.Errorf("size %d: %.0f bytes, the truth is %.0f: %.1f standard errors", size, mean, truth, off)
		}
		// The relative standard error of a standard deviation is 1/√2n, 5 %.
		if math.Abs(sd-want) > 0.25*want+1e-6*truth {
			t.Errorf("size %d: deviation %.0f, want %.0f", size, sd, want)
		}
	}
}

// drawn is how many of so many objects are sampled: those into which one of the
// points falls that lie at exponential distances.
func drawn(rnd *rand.Rand, objects int, size int64, rate int) (n int64) {
	next := rnd.ExpFloat64() * float64(rate)
	for range objects {
		if next -= float64(size); next < 0 {
			n++
			next = rnd.ExpFloat64() * float64(rate)
		}
	}
	return n
}

// TestSites: stacks are added up by line and type, tare's own are left out, and
// beyond the heaviest all is one.
func TestSites(t *testing.T) {
	at := func(line int, typ string, n int64, path ...string) stack {
		x := stack{Sampled: n, Size: 1 << 20, typ: typ, Frames: []frame{{"p.f", "f.go", line}}}
		for _, f := range path {
			x.Frames = append(x.Frames, frame{Func: f})
		}
		return x
	}
	s := heapSamples{How: record.HeapInLoop, Rate: 512, OthersBytes: 1000, OthersObjects: 7, Stacks: []stack{
		at(1, "a", 1, "p.light"), at(1, "a", 3, "p.heavy", "p.b"), at(1, "b", 2), at(2, "a", 5, "p.x"),
		{Sampled: 90, Size: 1 << 20, Frames: []frame{{Func: "testing.tareWarn"}}},
		{Sampled: 90, Size: 1 << 20, Frames: []frame{{Func: "time.Sleep"}, {Func: "testing.(*tareHeapState).see"}}},
		{Sampled: 1, Size: 1 << 20, Frames: []frame{{Func: "q.g"}, {Func: "testing.tareFirst"}}},
	}}
	for i := range maxSites {
		s.Stacks = append(s.Stacks, stack{Sampled: 1, Size: int64(1000 - i), Frames: []frame{{Func: fmt.Sprint("r.", i)}}})
	}
	text, err := s.heap()
	var h record.Heap
	if err := errors.Join(err, json.Unmarshal(text, &h)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range h.Sites[:4] {
		got = append(got, fmt.Sprintf("%s:%d %s %d %d %v", x.Func, x.Line, x.Type, x.Bytes>>20, x.Objects, x.Path))
	}
	want := []string{"p.f:2 a 5 5 [p.x]", "p.f:1 a 4 4 [p.heavy p.b]", "p.f:1 b 2 2 []", "q.g:0  1 1 [testing.tareFirst]"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	rest := int64(1000)
	for i := maxSites - 4; i < maxSites; i++ {
		size := float64(1000 - i)
		rest += int64(math.Round(size / -math.Expm1(-size/512)))
	}
	if len(h.Sites) != maxSites || math.Abs(float64(h.Rest.Bytes-rest)) > 4 || h.Rest.SD == 0 {
		t.Errorf("%d sites, the rest is %+v, want %d bytes", len(h.Sites), h.Rest, rest)
	}
}

package result

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// perCase is the default number of forks.
const perCase = 20

// stream writes a record of so many forks and measured samples per fork, and
// calls each after each fork.
func stream(w io.Writer, forks, samples int, each func()) error {
	var b bytes.Buffer
	rec := record.NewWriter(&b)
	flush := func(l record.Line) error {
		if err := rec.Write(l); err != nil {
			return err
		}
		_, err := b.WriteTo(w)
		return err
	}
	if err := flush(&record.Run{}); err != nil {
		return err
	}
	const first = 1_000_000 // so that all ids have as many digits
	block := samplesOf(first, samples)
	old := []byte(strconv.Itoa(first))
	for f := range forks {
		id := 1 + f/perCase
		if f%perCase == 0 {
			if err := flush(&record.Case{ID: id, Name: fmt.Sprint("Case", id), Procs: 1, Mode: record.ModeN}); err != nil {
				return err
			}
		}
		renumber(block, old, []byte(strconv.Itoa(first+f)))
		old = []byte(strconv.Itoa(first + f))
		if _, err := w.Write(block); err != nil {
			return err
		}
		if err := flush(&record.Fork{ID: first + f, Case: id, Round: 1 + f, Purpose: record.PurposeTiming, State: record.StateOK, Wall: int64(samples) * 50_000_000}); err != nil {
			return err
		}
		if each != nil {
			each()
		}
	}
	return nil
}

// renumber gives the lines of a block another fork, in place.
func renumber(block, old, id []byte) {
	mark := append([]byte(`"fork":`), old...)
	for {
		i := bytes.Index(block, mark)
		if i < 0 {
			return
		}
		copy(block[i+len(mark)-len(id):], id)
		block = block[i+len(mark):]
	}
}

// samplesOf are the lines of the samples of one fork. To write them anew for each
// fork would take longer than to read them.
func samplesOf(fork, n int) []byte {
	var b bytes.Buffer
	rec := record.NewWriter(&b)
	for i := 1; i <= n; i++ {
		rec.Write(&record.Sample{
			Fork: fork, Iter: i, T: int64(i) * 50_000_000, Ns: 49_000_000 + int64(i%100), Wall: 50_000_000, Ops: 500, Phase: record.PhaseMeasure,
			V: record.Values{{Unit: "ns/op", Value: 6823 + float64(i%100)}, {Unit: "B/op", Value: 16}, {Unit: "allocs/op", Value: 1}},
		})
	}
	return bytes.Clone(b.Bytes())
}

// TestMemory reads two million samples and shows that the live heap is that of
// as many forks with ten samples each.
func TestMemory(t *testing.T) {
	forks, many := 200, testutil.PickSeconds(2000, 10_000)
	if testing.Short() || raceDetector {
		many = 1000
	}
	few, fewMost := heapOf(t, forks, 10)
	lot, lotMost := heapOf(t, forks, many)
	t.Logf("live heap after %d forks: %d kB with 10 samples each, %d kB with %d; the most after any fork: %d kB, %d kB", forks, few>>10, lot>>10, many, fewMost>>10, lotMost>>10)
	// While it is read, a fork's values are held, and by this test its lines.
	if lot > few+1<<20 || lotMost > fewMost+6<<20 {
		t.Errorf("%d bytes more after all, %d while reading", lot-few, lotMost-fewMost)
	}
}

// heapOf is the live heap with a Builder that has read such a record, and the
// largest after any tenth fork.
func heapOf(t *testing.T, forks, samples int) (after, most uint64) {
	pr, pw := io.Pipe()
	before := live()
	n := 0
	go func() {
		pw.CloseWithError(stream(pw, forks, samples, func() {
			if n++; n%(forks/10) == 0 {
				most = max(most, live())
			}
		}))
	}()
	b := NewBuilder()
	if err := b.ReadAll(pr, "stream"); err != nil {
		t.Fatal(err)
	}
	after = live()
	s := b.Result()
	if len(s.Results) != forks/perCase || s.Results[0].Forks != perCase {
		t.Fatalf("%d rows", len(s.Results))
	}
	return after - min(before, after), most - min(before, most)
}

func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkRead reads records as a default run leaves them and as one of many
// iterations does.
func BenchmarkRead(b *testing.B) {
	for _, per := range []int{3, 1000} {
		b.Run(fmt.Sprintf("samples=%d", per), func(b *testing.B) {
			const all = 60_000
			var text strings.Builder
			if err := stream(&text, all/per, per, nil); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				if _, err := Read(strings.NewReader(text.String()), "bench"); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(all)*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
		})
	}
}

// BenchmarkSummary asks for the summary of a large run again and again, as the
// progress line and the stop rule do.
func BenchmarkSummary(b *testing.B) {
	for _, forks := range []int{20, 80} {
		b.Run(fmt.Sprintf("forks=%d", forks), func(b *testing.B) {
			x := NewBuilder()
			pr, pw := io.Pipe()
			go func() { pw.CloseWithError(stream(pw, forks, 2, nil)) }()
			if err := x.ReadAll(pr, "bench"); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				x.Result()
			}
		})
	}
}

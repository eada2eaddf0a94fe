package totals

import (
	"encoding/binary"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"time"
)

// TestLayout: the words are those that the part in package runtime writes.
func TestLayout(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../golang/toolchain/_runtime/totals/tare_totals.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST || !g.Lparen.IsValid() {
			continue
		}
		for _, s := range g.Specs {
			got = append(got, strings.TrimPrefix(s.(*ast.ValueSpec).Names[0].Name, "tareTotals"))
		}
	}
	want := strings.Fields("Magic Claimed Length Ended Bytes Objects Cycles GC Pause Procs Cost Threads Missing Errno Header ID CPU User Sys Thread")
	if strings.Join(got, " ") != strings.Join(want, " ") || headerWords != 14 || threadWords != 4 {
		t.Errorf("%v, want %v", got, want)
	}
}

// written is a file that a program has written: its words by their place.
func written(words map[int]uint64) []byte {
	text := make([]byte, (headerWords+3*threadWords)*8)
	copy(text, magic)
	for i, x := range words {
		binary.NativeEndian.PutUint64(text[i*8:], x)
	}
	return text
}

func TestDecode(t *testing.T) {
	const first, second = headerWords, headerWords + threadWords
	got, err := decode(written(map[int]uint64{
		wordClaimed: 1, wordEnded: 1, wordBytes: 6400, wordObjects: 100, wordCycles: 3, wordGC: 5e6, wordPause: 1e5, wordProcs: 2, wordCost: 7e4, wordThreads: 2,
		first + wordID: 10, first + wordCPU: 40e6, first + wordUser: 3, first + wordSys: 1, second + wordID: 11, second + wordCPU: 2e6,
	}))
	if err != nil {
		t.Fatal(err)
	}
	if got.Bytes != 6400 || got.Objects != 100 || got.Cycles != 3 || got.GC != 5*time.Millisecond || got.Pause != 100*time.Microsecond || got.Procs != 2 || got.Cost != 70*time.Microsecond {
		t.Errorf("%+v", got)
	}
	if x := (Thread{10, 40e6, 30e6, 10e6}); len(got.Threads) != 2 || got.Threads[0] != x || got.Threads[1] != (Thread{ID: 11, CPU: 2e6}) {
		t.Errorf("%+v", got.Threads)
	}
	for of, want := range map[string]Spread{"cpu": {42e6, 2e6, 21e6, 40e6}, "user": {30e6, 30e6, 30e6, 30e6}, "sys": {10e6, 10e6, 10e6, 10e6}} {
		if s := SpreadOf(got.Times(of)); s != want {
			t.Errorf("%s: %+v", of, s)
		}
	}
	if s := SpreadOf(nil); s != (Spread{}) {
		t.Errorf("%+v", s)
	}
}

// TestDecodeIncomplete: what is not there has a reason, and a file that the program has damaged is an error.
func TestDecodeIncomplete(t *testing.T) {
	for _, c := range []struct {
		words map[int]uint64
		want  string
	}{
		{nil, ErrNotBegun.Error()},
		{map[int]uint64{wordClaimed: 1}, ErrNotEnded.Error()},
		{map[int]uint64{wordClaimed: 1, wordEnded: 1, wordThreads: 4}, "was damaged"},
		{map[int]uint64{wordMagic: 1}, "was damaged"},
	} {
		if _, err := decode(written(c.words)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.words, err, c.want)
		}
	}
	if _, err := decode(nil); err == nil {
		t.Error("no error for an empty file")
	}
	for want, word := range map[string]map[int]uint64{"Linux only": {wordErrno: noThreads}, "error 13": {wordErrno: 13}, "had 5 threads, and 3 are kept": {wordMissing: 2, wordThreads: 3}} {
		word[wordClaimed], word[wordEnded] = 1, 1
		if got, err := decode(written(word)); err != nil || !strings.Contains(got.NoThreads, want) || got.Threads != nil {
			t.Errorf("%+v, %v, want %s", got, err, want)
		}
	}
}

func TestFile(t *testing.T) {
	f, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(); !errors.Is(err, ErrNotBegun) {
		t.Error(err)
	}
	if !strings.HasPrefix(f.Env(), "TARE_TOTALS=/") {
		t.Error(f.Env())
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := f.Read(); err == nil {
		t.Error("it is still there")
	}
}

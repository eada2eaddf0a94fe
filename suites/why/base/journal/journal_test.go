package journal

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func file(tb testing.TB) *os.File {
	f, err := os.Create(filepath.Join(tb.TempDir(), "journal"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	return f
}

// write writes 200 records of 100 bytes.
func write(tb testing.TB, f *os.File) {
	w := NewWriter(f)
	record := bytes.Repeat([]byte("0123456789"), 10)
	for range 200 {
		if err := w.Append(record); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		tb.Fatal(err)
	}
}

func TestReplay(t *testing.T) {
	f := file(t)
	write(t, f)
	records, size := 0, 0
	if err := Replay(f, func(r []byte) { records++; size += len(r) }); err != nil {
		t.Fatal(err)
	}
	if records != 200 || size != 20000 {
		t.Errorf("%d records of %d bytes", records, size)
	}
}

func BenchmarkAppend(b *testing.B) {
	f := file(b)
	for b.Loop() {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			b.Fatal(err)
		}
		write(b, f)
	}
}

func BenchmarkReplay(b *testing.B) {
	f := file(b)
	write(b, f)
	size := 0
	for b.Loop() {
		if err := Replay(f, func(r []byte) { size += len(r) }); err != nil {
			b.Fatal(err)
		}
	}
}

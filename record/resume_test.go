package record

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// A file that was cut anywhere gives all its whole lines, says that the rest is
// cut off, and can be gone on with.
func TestCutAnywhere(t *testing.T) {
	file := v1(t)
	path := filepath.Join(t.TempDir(), "cut.jsonl")
	runEnd := bytes.IndexByte(file, '\n') // without its newline the run line is whole
	for cut := range len(file) + 1 {
		text := file[:cut]
		whole := bytes.LastIndexByte(text, '\n') + 1
		if cut < len(file) && file[cut] == '\n' {
			whole = cut
		}
		r := NewReader(bytes.NewReader(text), "cut")
		lines := 0
		var last error
		for l, err := range r.All() {
			if err == nil {
				lines++
				_ = l
			}
			last = err
		}
		_, truncated := errors.AsType[*TruncatedError](last)
		_, empty := errors.AsType[*NotRecordError](last)
		if truncated != (whole < cut) || empty != (cut == 0) || last != nil && !truncated && !empty {
			t.Fatalf("cut at %d, whole to %d: error is %v", cut, whole, last)
		}
		if r.Whole() != int64(whole) {
			t.Fatalf("cut at %d: %d bytes are whole lines, want %d", cut, r.Whole(), whole)
		}
		if want := linesIn(file[:whole]); lines+r.Skipped() != want {
			t.Fatalf("cut at %d: %d lines and %d skipped, want %d", cut, lines, r.Skipped(), want)
		}
		// Going on needs a file. At each line's end, and some places between, is enough in brief.
		if testutil.Seconds() || cut%11 == 0 || cut-whole < 2 {
			checkResume(t, path, text, whole, cut >= runEnd)
		}
	}
}

// checkResume goes on with a file of which the first whole bytes are whole
// lines.
func checkResume(t *testing.T, path string, text []byte, whole int, ok bool) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	f, cut, err := OpenAppend(path)
	if (err == nil) != ok {
		t.Fatalf("%d bytes: %v", len(text), err)
	}
	if err != nil {
		if now, _ := os.ReadFile(path); !bytes.Equal(now, text) {
			t.Fatalf("%d bytes: the file was changed in spite of %v", len(text), err)
		}
		return
	}
	defer f.Close()
	if cut != int64(len(text)-whole) {
		t.Fatalf("%d bytes: removed %d, want %d", len(text), cut, len(text)-whole)
	}
	if err := NewWriter(f).Write(&End{State: EndPartial}); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSuffix(string(text[:whole]), "\n") + "\n" + `{"k":"end","state":"partial"}` + "\n"
	if now, _ := os.ReadFile(path); string(now) != want {
		t.Fatalf("%d bytes: got\n%s\nwant\n%s", len(text), now, want)
	}
}

// linesIn counts lines, the last one with or without its newline.
func linesIn(text []byte) int {
	n := 0
	for range bytes.Lines(text) {
		n++
	}
	return n
}

func TestOpenAppendKeepsWholeLines(t *testing.T) {
	big := `{"k":"warn","text":"` + strings.Repeat("x", 200<<10)
	tests := []struct{ name, file, want string }{
		{"malformed lines", runLine + "x\n{}\n{\"k\":\"fu", runLine + "x\n{}\n"},
		{"unknown kinds", runLine + `{"k":"later"}`, runLine + `{"k":"later"}` + "\n"},
		{"blank end", runLine + "\n\n  ", runLine + "\n\n"},
		{"zeros", runLine + "\x00\x00", runLine},
		{"long cut line", runLine + big, runLine},
		{"long whole line", runLine + big + `"}`, runLine + big + `"}` + "\n"},
		{"run line only", strings.TrimSpace(runLine), runLine},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "f.jsonl")
			if err := os.WriteFile(path, []byte(test.file), 0o666); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time there is nothing to do
				f, _, err := OpenAppend(path)
				if err != nil {
					t.Fatal(err)
				}
				f.Close()
				if got, _ := os.ReadFile(path); string(got) != test.want {
					t.Errorf("got %.100q, want %.100q", got, test.want)
				}
			}
		})
	}
}

func TestOpenAppendRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := OpenAppend(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, _, err := OpenAppend(dir); err == nil {
		t.Error("opened a directory")
	}
	other := filepath.Join(dir, "notes.txt")
	newer := filepath.Join(dir, "newer.jsonl")
	os.WriteFile(other, []byte("my only copy\nof this"), 0o666)
	os.WriteFile(newer, []byte(`{"k":"run","v":99}`+"\n{"), 0o666)
	_, _, err := OpenAppend(other)
	if _, ok := errors.AsType[*NotRecordError](err); !ok || !strings.Contains(err.Error(), other) {
		t.Errorf("a text: %v", err)
	}
	_, _, err = OpenAppend(newer)
	if _, ok := errors.AsType[*VersionError](err); !ok {
		t.Errorf("a newer record: %v", err)
	}
	if got, _ := os.ReadFile(other); string(got) != "my only copy\nof this" {
		t.Errorf("the text is now %q", got)
	}
}

func TestLastLine(t *testing.T) {
	const step = 64 << 10
	const size = 2*step + 10
	for _, at := range []int{0, 9, 10, 11, step - 1, step, step + 9, step + 10, step + 11, size - 1} {
		text := []byte(strings.Repeat("x", size))
		text[0], text[at] = '\n', '\n'
		if got, err := lastLine(bytes.NewReader(text), size); err != nil || got != int64(at)+1 {
			t.Errorf("newline at %d: %d, %v", at, got, err)
		}
	}
	if got, err := lastLine(strings.NewReader("xyz"), 3); err != nil || got != 0 {
		t.Errorf("no newline: %d, %v", got, err)
	}
}

// A last line too long to be judged is left alone.
func TestLastLineBounded(t *testing.T) {
	size := int64(MaxLine) + 1<<20
	if _, err := lastLine(zeros{}, size); err == nil {
		t.Error("want an error")
	}
}

type zeros struct{}

func (zeros) ReadAt(b []byte, _ int64) (int, error) {
	clear(b)
	return len(b), nil
}

package input

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/input/pagefile"
)

// TestPage: of a page, what is read is the records in it; any other file is read as it is.
func TestPage(t *testing.T) {
	var page bytes.Buffer
	page.WriteString(pagefile.Doctype + "\n<html>")
	if err := pagefile.Write(&page, "a.jsonl", []byte("{\"k\":\"run\"}\n")); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{page.String(): "{\"k\":\"run\"}\n", "goos: linux\n": "goos: linux\n", "": ""} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{path, "-"} {
			in, err := Open(name, strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			if got, err := io.ReadAll(in); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v; want %q", in.Name, got, err, want)
			}
		}
	}
	in, err := Open("-", strings.NewReader("<!doctype html><title>x</title>"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(in); err == nil || !strings.HasPrefix(err.Error(), "no record is in this page") {
		t.Errorf("error %v", err)
	}
}

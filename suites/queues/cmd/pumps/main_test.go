package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestCommitted: what is committed is what the templates make.
func TestCommitted(t *testing.T) {
	for _, f := range families() {
		want, err := f.source()
		if err != nil {
			t.Fatalf("%s: %v", f.file, err)
		}
		got, err := os.ReadFile(filepath.Join("..", "..", f.file))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what its template makes; run go generate in suites/queues", f.file)
		}
	}
}

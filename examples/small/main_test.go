package main

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

func TestProgram(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	measure(time.Millisecond)
	os.Stdout = stdout
	w.Close()
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	rate := regexp.MustCompile(`(?m)^[a-z0-9 ]+: [0-9.]+ iterations per millisecond$`)
	if n := len(rate.FindAllString(string(out), -1)); n != 7 || !strings.Contains(string(out), "overhead (tare), not subtracted") {
		t.Errorf("printed %d rates:\n%s", n, out)
	}
}

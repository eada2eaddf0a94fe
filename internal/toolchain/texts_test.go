package toolchain

import (
	"os"
	"testing"
)

// TestPacked: what is added to packages of the standard library are the files here.
func TestPacked(t *testing.T) {
	err := texts.Stale(os.DirFS("."), "_runtime/probes/*.go", "_runtime/probes/*.s", "_runtime/sampler/*.go", "_runtime/totals/*.go", "_runtime/allocs/*.go", "_runtime/shared/*.go", "_testing/*.go", "_testing/parts/*.go", "hook/*.go")
	if err != nil {
		t.Error(err)
	}
}

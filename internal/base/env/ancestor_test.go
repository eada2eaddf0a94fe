package env

import (
	"os"
	"runtime"
	"testing"
)

func TestIsAncestor(t *testing.T) {
	parents := map[int]int{9: 7, 7: 3, 3: 1, 20: 21, 21: 20}
	of := func(pid int) int { return parents[pid] }
	for _, test := range []struct {
		pid, parent int
		want        bool
	}{{9, 9, true}, {3, 9, true}, {4, 9, false}, {9, 7, false}, {5, 20, false}, {5, 0, false}} {
		if got := isAncestor(test.pid, test.parent, of); got != test.want {
			t.Errorf("process %d of one whose parent is %d: %v", test.pid, test.parent, got)
		}
	}
	if !IsAncestor(os.Getppid()) || IsAncestor(os.Getpid()) {
		t.Error("the parent is not found, or the process itself is")
	}
	if runtime.GOOS == "linux" && parentOf(os.Getpid()) != os.Getppid() {
		t.Errorf("the parent is %d, not %d", parentOf(os.Getpid()), os.Getppid())
	}
}

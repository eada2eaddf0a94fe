package exit

import (
	"errors"
	"strings"
	"testing"
)

type fullDisk struct{ room int }

func (f *fullDisk) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(b), nil
}

// TestOutput: the first error stays, whatever is written after it.
func TestOutput(t *testing.T) {
	o := NewOutput(&fullDisk{room: 3})
	o.Write([]byte("abc"))
	if err := o.Err(); err != nil {
		t.Error(err)
	}
	o.Write([]byte("d"))
	o.Write(nil)
	if err := As(o.Err()); err == nil || err.Code != Failure || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%v", err)
	}
	if int(o.Fd()) != -1 {
		t.Error(o.Fd())
	}
}

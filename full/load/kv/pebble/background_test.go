package pebble

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tarebench/tare/load/kv"
)

// TestBackgroundErrorsReported: an error of Pebble's background work fails the operations that follow. It is not only
// logged.
func TestBackgroundErrorsReported(t *testing.T) {
	d, err := Open(context.Background(), kv.Settings{Table: "usertable"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	s, err := d.Session(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	full := errors.New("no space left on device")
	d.(*db).listen().BackgroundError(full)
	d.(*db).listen().BackgroundError(errors.New("a later one"))
	err = s.Read(context.Background(), []byte("user1"), nil, new(kv.Record))
	if !errors.Is(err, full) || !strings.Contains(err.Error(), "pebble: in the background") {
		t.Errorf("error %v", err)
	}
}

// TestQuiet: Pebble expects that Fatalf does not return.
func TestQuiet(t *testing.T) {
	defer func() {
		if p := recover(); p != "pebble: log 7 is gone" {
			t.Errorf("panic %v", p)
		}
	}()
	quiet{}.Infof("nothing %d", 1)
	quiet{}.Errorf("nothing %d", 1)
	quiet{}.Fatalf("log %d is gone", 7)
}

package load

import (
	"errors"
	"fmt"
	"io"
	"testing"
)

func TestWithClass(t *testing.T) {
	if err := WithClass(ClassServer, nil); err != nil {
		t.Errorf("of nil: %v", err)
	}
	err := fmt.Errorf("read: %w", WithClass(ClassServer, io.EOF))
	if got := Class(err); got != ClassServer {
		t.Errorf("class %s", got)
	}
	if !errors.Is(err, io.EOF) || err.Error() != "read: EOF" {
		t.Errorf("error %v", err)
	}
	if got := Class(WithClass("", io.EOF)); got != ClassReset {
		t.Errorf("an error with no class of its own: %s, want that of EOF", got)
	}
}

func TestRedactError(t *testing.T) {
	if err := Mask(nil, "x"); err != nil {
		t.Errorf("of nil: %v", err)
	}
	plain := errors.New("nothing to hide")
	if err := Mask(plain, "", "secret"); err != plain {
		t.Errorf("changed without need: %v", err)
	}
	err := Mask(WithClass(ClassServer, fmt.Errorf("user me, password s3cret, again s3cret: %w", io.EOF)), "", "s3cret")
	if want := "user me, password ***, again ***: EOF"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if Class(err) != ClassServer || !errors.Is(err, io.EOF) {
		t.Errorf("the class or what it wraps is lost: %s", Class(err))
	}
}

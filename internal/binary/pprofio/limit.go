package pprofio

import (
	"fmt"
	"io"
)

// Limit returns a reader of at most n bytes of r. If there are more, Read fails with an error that names what.
// [io.LimitReader] would silently end instead.
func Limit(r io.Reader, n int64, what string) io.Reader {
	return &limited{r: r, left: n, most: n, what: what}
}

type limited struct {
	r          io.Reader
	left, most int64
	what       string
}

func (l *limited) Read(b []byte) (int, error) {
	if l.left < 0 {
		return 0, &tooLong{l.what, size(l.most)}
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left+1)])
	if l.left -= int64(n); l.left < 0 {
		return l.Read(nil)
	}
	return n, err
}

// tooLong is the error of input beyond its limit.
type tooLong struct{ what, most string }

func (e *tooLong) Error() string { return e.what + " is larger than " + e.most }

func size(n int64) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

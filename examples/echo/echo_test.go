package echo

import (
	"context"
	"errors"
	"net"
	"testing"

	"github.com/tarebench/tare/load"
)

func run(t *testing.T, cfg map[string]string) *load.Interval {
	t.Helper()
	target, err := Target(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	total, err := load.Run(context.Background(), target, load.Config{Operations: 100, Workers: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return total
}

func TestTarget(t *testing.T) {
	if total := run(t, map[string]string{"bytes": "100"}); total.Completed != 100 || len(total.Errors) > 0 {
		t.Errorf("%d of 100, %v", total.Completed, total.First)
	}
	if _, err := Target(map[string]string{"bytes": "many"}); err == nil {
		t.Error("a length that is no number is taken")
	}
	if _, err := Target(map[string]string{"addr": "10.9.9.9:7000"}); !errors.As(err, new(*load.RefusedError)) {
		t.Errorf("another machine without consent: %v", err)
	}
}

// TestDamaged: an answer that is not what was sent is an error.
func TestDamaged(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				b := make([]byte, 1<<10)
				for {
					n, err := conn.Read(b)
					if err != nil {
						return
					}
					b[0] ^= 1
					conn.Write(b[:n])
				}
			}()
		}
	}()
	total := run(t, map[string]string{"addr": l.Addr().String()})
	if total.Errors[load.Class(load.ErrIntegrity)] != 100 {
		t.Errorf("%v of 100 are seen to be damaged", total.Errors)
	}
}

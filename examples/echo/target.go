package echo

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"strconv"

	"github.com/tarebench/tare/load"
)

// Target is what tare load searches for. cfg has the properties of -p: addr, the server's HOST:PORT, and bytes, the length of
// a line (default 32).
func Target(cfg map[string]string) (load.Target, error) {
	settings, err := load.ParseSettings(cfg)
	if err != nil {
		return nil, err
	}
	t := &target{Settings: settings, addr: cfg["addr"], size: 32}
	if text := cfg["bytes"]; text != "" {
		if t.size, err = strconv.Atoi(text); err != nil || t.size < 1 || t.size > 1<<16 {
			return nil, fmt.Errorf("bytes=%s is no number from 1 to 65536", text)
		}
	}
	if t.addr != "" { // says at once what --allow-host is needed for
		return t, settings.Allow.Check(context.Background(), t.addr)
	}
	if t.own, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	t.addr = t.own.Addr().String()
	go Serve(t.own)
	return t, nil
}

type target struct {
	load.Settings
	addr string
	size int
	own  net.Listener // nil: the server runs elsewhere
}

func (t *target) Kinds() []string { return []string{"ECHO"} }

// Worker connects. The dialer goes to this machine and to what --allow-host allows, and nowhere else.
func (t *target) Worker(ctx context.Context, n int) (load.Worker, error) {
	dialer := load.NewDialer(ctx, t.Allow, t.OpTimeout)
	conn, err := dialer.DialContext(ctx, "tcp", t.addr)
	if err != nil {
		dialer.Close()
		return nil, err
	}
	return &worker{target: t, dialer: dialer, conn: conn, in: bufio.NewReaderSize(conn, t.size+1)}, nil
}

func (t *target) Close() error {
	if t.own == nil {
		return nil
	}
	return t.own.Close()
}

type worker struct {
	*target
	dialer *load.Dialer
	conn   net.Conn
	in     *bufio.Reader
	line   []byte // that is sent
	answer []byte
}

// Prepare makes the line of operation k: the same in every run of a seed.
func (w *worker) Prepare(k uint64) int {
	w.line = strconv.AppendUint(w.line[:0], k*2654435761+w.Seed, 36)
	for len(w.line) < w.size {
		w.line = append(w.line, '.')
	}
	w.line = append(w.line[:w.size], '\n')
	return 0
}

// Do is what is timed.
func (w *worker) Do(context.Context, *load.Timer) error {
	if _, err := w.conn.Write(w.line); err != nil {
		return w.dialer.Err(err)
	}
	answer, err := w.in.ReadSlice('\n')
	w.answer = answer
	return w.dialer.Err(err)
}

// Done checks the answer. It is not timed.
func (w *worker) Done(err error) error {
	if err == nil && !bytes.Equal(w.answer, w.line) {
		return load.ErrIntegrity
	}
	return err
}

func (w *worker) Close() error {
	w.dialer.Close()
	return nil
}

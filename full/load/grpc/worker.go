package grpc

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/tarebench/tare/load"
)

// worker makes the calls of one user over its own connection.
type worker struct {
	*target
	link *connector
	conn *grpc.ClientConn
	run  context.Context
	to   string // the path of the method

	// One context is used until a call is late; see [deadline].
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer // ends ctx

	messages []*message
	call     context.Context // of the next call
	deadline *deadline       // the same, if there is a timeout
	bad      error           // of Prepare

	mu       sync.Mutex
	statuses [maxCode + 1]int64
}

func (t *target) worker(ctx context.Context) (*worker, error) {
	l, err := t.connector(ctx)
	if err != nil {
		return nil, err
	}
	conn, err := t.connect(l, grpc.WithDefaultCallOptions(
		grpc.ForceCodecV2(rawCodec{}), grpc.MaxCallRecvMsgSize(t.limit), grpc.MaxCallSendMsgSize(1<<31-1)))
	if err != nil {
		l.close()
		return nil, err
	}
	w := &worker{target: t, link: l, conn: conn, run: ctx, to: t.path(), messages: t.fixed}
	if len(t.header) > 0 {
		w.run = t.withHeader(ctx)
	}
	w.renew()
	return w, nil
}

// renew makes the context of the next calls.
func (w *worker) renew() {
	if w.cancel != nil {
		w.cancel(nil)
	}
	ctx, cancel := context.WithCancelCause(w.run)
	w.ctx, w.cancel = ctx, cancel
	if w.timeout > 0 {
		late := errTimeout(w.timeout)
		w.timer = time.AfterFunc(w.timeout, func() { cancel(late) })
		w.timer.Stop()
	}
}

// Prepare makes the bytes of a call, if they vary, and its context.
func (w *worker) Prepare(k uint64) int {
	if w.body.Varies() {
		w.messages, w.bad = w.encoder.encode(w.bodyOf(k))
	}
	w.call = w.ctx
	if w.timer != nil {
		w.deadline = &deadline{Context: w.ctx}
		w.call = w.deadline
	}
	return 0
}

func (w *worker) Do(ctx context.Context, _ *load.Timer) error {
	if err := errors.Join(ctx.Err(), w.bad); err != nil {
		return w.fail(err)
	}
	if w.timer != nil {
		w.deadline.at = time.Now().Add(w.timeout)
		w.timer.Reset(w.timeout)
	}
	err := w.send(w.call)
	if w.timer != nil && !w.timer.Stop() {
		if cause := context.Cause(w.ctx); err != nil && cause != nil {
			err = cause
		}
		w.renew()
	}
	return w.judge(err)
}

// send makes the call and reads its answers.
func (w *worker) send(ctx context.Context) error {
	if !w.desc.ClientStreams && !w.desc.ServerStreams {
		var a answer
		return w.conn.Invoke(ctx, w.to, w.messages[0], &a)
	}
	ctx, cancel := context.WithCancel(ctx) // releases the stream whatever its end
	defer cancel()
	stream, err := w.conn.NewStream(ctx, &w.desc, w.to)
	if err != nil {
		return err
	}
	if w.desc.ClientStreams && w.desc.ServerStreams && w.size() > safeSize {
		sent := make(chan error, 1)
		go func() { sent <- w.sendAll(stream) }()
		err := receiveAll(stream)
		cancel()
		<-sent
		return err
	}
	if err := w.sendAll(stream); err != nil {
		return err
	}
	return receiveAll(stream)
}

// safeSize is less than the flow-control window of a stream (RFC 9113, section 6.9.2). So many
// bytes can be sent even if the server reads no more before its own answers are read.
const safeSize = 32 << 10

// size returns how many bytes the messages of a call take, with their prefixes.
func (w *worker) size() int {
	n := 0
	for _, m := range w.messages {
		n += m.data.Len() + 5
	}
	return n
}

// sendAll sends the messages. A server that ends the call early is no error here: the
// status says why.
func (w *worker) sendAll(s grpc.ClientStream) error {
	for _, m := range w.messages {
		if err := s.SendMsg(m); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
	return s.CloseSend()
}

// receiveAll reads the answers and returns the status of the call.
func receiveAll(s grpc.ClientStream) error {
	for {
		var a answer
		if err := s.RecvMsg(&a); err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
	}
}

// judge counts the status and returns the error of the call, or nil for a status that is
// expected.
func (w *worker) judge(err error) error {
	if err == nil {
		w.count(codes.OK)
		if !w.expect.has(codes.OK) {
			return w.fail(errOK)
		}
		return nil
	}
	err = w.link.explain(err)
	s, ok := status.FromError(err)
	if !ok || load.Class(err) != load.ClassOther { // not from the server
		return w.fail(err)
	}
	w.count(s.Code())
	if w.expect.has(s.Code()) {
		return nil
	}
	return w.fail(fromServer(s))
}

func (w *worker) count(c codes.Code) {
	if c > maxCode {
		c = codes.Unknown
	}
	w.mu.Lock()
	w.statuses[c]++
	w.mu.Unlock()
}

func (w *worker) Done(err error) error { return err }

// AddTraffic implements [load.TrafficCounter].
func (w *worker) AddTraffic(t *load.Traffic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c, n := range w.statuses {
		t.AddStatus(codes.Code(c).String(), n)
	}
	sent, received := w.link.dialer.Bytes()
	t.Sent, t.Received = t.Sent+sent, t.Received+received
}

func (w *worker) Close() error {
	w.cancel(nil)
	err := w.conn.Close()
	w.link.close()
	if status.Code(err) == codes.Canceled { // closed before
		return nil
	}
	return err
}

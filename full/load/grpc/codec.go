package grpc

import (
	"fmt"

	"google.golang.org/grpc/mem"
)

// rawCodec sends messages that are encoded already, and does not decode answers. It has the
// name of the usual codec, because servers check it as a part of the content type.
type rawCodec struct{}

func (rawCodec) Name() string { return "proto" }

// A message is an encoded request. It is made before the call, so that the call neither copies
// nor allocates it. Package grpc only reads it, and may do so after the call has ended.
type message struct{ data mem.BufferSlice }

func newMessage(b []byte) *message { return &message{mem.BufferSlice{mem.SliceBuffer(b)}} }

// An answer counts the bytes that were received.
type answer struct{ n int }

func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	m, ok := v.(*message)
	if !ok {
		return nil, fmt.Errorf("grpc: %T is no message", v)
	}
	return m.data, nil
}

func (rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	a, ok := v.(*answer)
	if !ok {
		return fmt.Errorf("grpc: %T is no answer", v)
	}
	a.n += data.Len()
	return nil
}

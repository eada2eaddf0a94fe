package grpc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

type target struct {
	*config
	desc    grpc.StreamDesc
	encoder *encoder
	fixed   []*message // of all calls, if the body does not vary
	dialers load.Dialers
}

// Open checks that a server accepts connections, and over TLS that its certificate is
// valid; that the service and the method exist; and that the body fits. Without a file that
// describes the service it asks the server for it.
func Open(ctx context.Context, s kv.Settings) (load.Target, error) {
	c, err := parseConfig(s)
	if err != nil {
		return nil, fmt.Errorf("grpc: %w", err)
	}
	t, err := c.open(ctx, s.Allow)
	if err != nil {
		return nil, load.Mask(fmt.Errorf("grpc: %w", err), c.secrets...)
	}
	return t, nil
}

func (c *config) open(ctx context.Context, allow *load.Consent) (*target, error) {
	var files *protoregistry.Files
	if c.schema.given() {
		var err error
		if files, err = c.schema.read(ctx); err != nil {
			return nil, err
		}
	}
	t := &target{config: c, dialers: load.Dialers{Allow: allow}}
	if files != nil { // what is wrong with the files needs no server
		if err := t.describe(files); err != nil {
			return nil, err
		}
	}
	if err := load.Reach(ctx, allow, c.address, c.setUp, "start the server, or set its address: -p grpc.url=grpc://host:port/package.Service/Method"); err != nil {
		return nil, err
	}
	if _, err := c.files.Config(c.host, "grpc."); err != nil {
		return nil, err
	}
	if c.secure {
		if err := c.checkTLS(ctx, allow); err != nil {
			return nil, fmt.Errorf("secure connection to %s: %w", c.where(), err)
		}
	}
	files, err := t.probe(ctx, files == nil)
	if err != nil {
		return nil, err
	}
	if files != nil {
		return t, t.describe(files)
	}
	return t, nil
}

// describe finds the method and makes the messages of the first call.
func (t *target) describe(files *protoregistry.Files) error {
	m, err := findMethod(files, t.service, t.method)
	if err != nil {
		return fmt.Errorf("%s: %w", t.source(), err)
	}
	t.desc = grpc.StreamDesc{StreamName: string(m.Name()), ServerStreams: m.IsStreamingServer(), ClientStreams: m.IsStreamingClient()}
	t.encoder = newEncoder(m, dynamicpb.NewTypes(files))
	messages, err := t.encoder.encode(t.bodyOf(0))
	if err != nil {
		return fmt.Errorf("property grpc.body: does not fit %s, the message of %s: %w", name(m.Input()), m.Name(), err)
	}
	if !t.body.Varies() {
		t.fixed = messages
	}
	return nil
}

func name(d protoreflect.Descriptor) string { return string(d.FullName()) }

// source returns what describes the service.
func (c *config) source() string {
	switch {
	case c.schema.proto != "":
		return "property grpc.proto: " + c.schema.proto
	case c.schema.set != "":
		return "property grpc.descriptors: " + c.schema.set
	}
	return c.where()
}

// bodyOf returns the JSON of operation k. Without grpc.body that is the empty message.
func (c *config) bodyOf(k uint64) []byte {
	if !c.hasBody {
		return []byte("{}")
	}
	return c.body.Append(nil, c.seed, k)
}

// probe connects, so that a server of another kind is found before the run. If ask is set
// it asks the server for the service.
func (t *target) probe(ctx context.Context, ask bool) (*protoregistry.Files, error) {
	l, err := t.connector(ctx)
	if err != nil {
		return nil, err
	}
	defer l.close()
	conn, err := t.connect(l)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	ctx, cancel := t.bound(ctx)
	defer cancel()
	if len(t.header) > 0 {
		ctx = t.withHeader(ctx)
	}
	if err := l.ready(ctx, conn); err != nil {
		return nil, l.explain(err)
	}
	if !ask {
		return nil, nil
	}
	files, err := askServer(ctx, conn, t.service)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.where(), l.explain(err))
	}
	return files, nil
}

func (t *target) Kinds() []string { return []string{t.desc.StreamName} }

func (t *target) Worker(ctx context.Context, _ int) (load.Worker, error) {
	w, err := t.worker(ctx)
	if err != nil {
		return nil, fmt.Errorf("grpc: worker: %w", err)
	}
	return w, nil
}

// Close ends the workers.
func (t *target) Close() error {
	t.dialers.Close()
	return nil
}

// bound returns a context for what happens before the run.
func (c *config) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, c.setUp, errTimeout(c.setUp))
}

func errTimeout(d time.Duration) error {
	return load.WithClass(load.ClassTimeout, fmt.Errorf("no answer within %v", d))
}

var errNotGRPC = errors.New("the server does not speak HTTP/2, which gRPC needs")

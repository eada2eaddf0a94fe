package grpc

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/reflection/grpc_reflection_v1alpha"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// shop is a server for tests, whose service the file testdata/shop.proto describes. It
// does what the field do of its messages says.
type shop struct {
	files *protoregistry.Files
	addr  string

	mu   sync.Mutex
	seen []string // messages as text, with those of a stream joined by +
	md   metadata.MD
	left time.Duration // until the deadline of the last call; 0 for none
	*grpc.Server
}

// options of a server for tests.
type options struct {
	noReflection bool
	alpha        bool // reflection v1alpha only
	tls          *tls.Config
	streams      uint32
	addr         string
}

func shopFiles(t testing.TB) *protoregistry.Files {
	t.Helper()
	files, err := schemaFiles{proto: "testdata/shop.proto"}.read(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func serve(t testing.TB, o options) *shop {
	t.Helper()
	s := &shop{files: shopFiles(t)}
	var opts []grpc.ServerOption
	if o.tls != nil {
		opts = append(opts, grpc.Creds(credentials.NewTLS(o.tls)))
	}
	if o.streams > 0 {
		opts = append(opts, grpc.MaxConcurrentStreams(o.streams))
	}
	s.Server = grpc.NewServer(opts...)
	d, err := s.files.FindDescriptorByName("shop.Orders")
	if err != nil {
		t.Fatal(err)
	}
	sd := d.(protoreflect.ServiceDescriptor)
	desc := &grpc.ServiceDesc{ServiceName: "shop.Orders", HandlerType: (*any)(nil), Metadata: "shop.proto"}
	for i := range sd.Methods().Len() {
		m := sd.Methods().Get(i)
		desc.Streams = append(desc.Streams, grpc.StreamDesc{
			StreamName: string(m.Name()), ServerStreams: true, ClientStreams: true,
			Handler: func(_ any, stream grpc.ServerStream) error { return s.handle(m, stream) },
		})
	}
	s.RegisterService(desc, struct{}{})
	if !o.noReflection {
		r := reflection.ServerOptions{Services: s.Server, DescriptorResolver: s.files, ExtensionResolver: protoregistry.GlobalTypes}
		if o.alpha {
			grpc_reflection_v1alpha.RegisterServerReflectionServer(s.Server, reflection.NewServer(r))
		} else {
			grpc_reflection_v1.RegisterServerReflectionServer(s.Server, reflection.NewServerV1(r))
		}
	}
	addr := "127.0.0.1:0"
	if o.addr != "" {
		addr = o.addr
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	go s.Serve(l)
	t.Cleanup(s.Stop)
	return s
}

// handle answers a call of any of the four kinds.
func (s *shop) handle(m protoreflect.MethodDescriptor, stream grpc.ServerStream) error {
	var all []string
	var last *dynamicpb.Message
	s.mu.Lock()
	s.md, _ = metadata.FromIncomingContext(stream.Context())
	s.left = 0
	if at, ok := stream.Context().Deadline(); ok {
		s.left = time.Until(at)
	}
	s.mu.Unlock()
	text := func(name string) string {
		return last.Get(m.Input().Fields().ByName(protoreflect.Name(name))).String()
	}
	reply := func() error {
		out := dynamicpb.NewMessage(m.Output())
		out.Set(m.Output().Fields().ByName("note"), protoreflect.ValueOfString(text("id")))
		return stream.SendMsg(out)
	}
	for {
		q := dynamicpb.NewMessage(m.Input())
		if err := stream.RecvMsg(q); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		last = q
		all = append(all, text("id"))
		if m.IsStreamingClient() && m.IsStreamingServer() {
			if err := reply(); err != nil {
				return err
			}
		}
		if !m.IsStreamingClient() {
			break
		}
	}
	s.mu.Lock()
	s.seen = append(s.seen, strings.Join(all, "+"))
	s.mu.Unlock()
	if last == nil {
		last = dynamicpb.NewMessage(m.Input())
	}
	switch do := text("do"); {
	case do == "hang":
		<-stream.Context().Done()
		return status.FromContextError(stream.Context().Err()).Err()
	case strings.HasPrefix(do, "code ") && do != "code 0":
		var c codes.Code
		fmt.Sscanf(do, "code %d", &c)
		return status.Error(c, "as asked; token=sentinel")
	}
	switch {
	case m.IsStreamingClient() && m.IsStreamingServer():
		return nil
	case m.IsStreamingServer():
		for range 3 {
			if err := reply(); err != nil {
				return err
			}
		}
		return nil
	}
	return reply()
}

// user opens the target and returns its first worker.
func user(t testing.TB, s kv.Settings) *worker {
	t.Helper()
	target, err := Open(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	w, err := target.Worker(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		w.Close()
		for range 2 {
			if err := target.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		}
	})
	return w.(*worker)
}

// send sends operation k as the engine does.
func send(w load.Worker, k uint64) error {
	w.Prepare(k)
	return w.Done(w.Do(context.Background(), nil))
}

func descriptorSet(t testing.TB, files *protoregistry.Files) []byte {
	t.Helper()
	var set descriptorpb.FileDescriptorSet
	files.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		set.File = append(set.File, protodesc.ToFileDescriptorProto(fd))
		return true
	})
	data, err := proto.Marshal(&set)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

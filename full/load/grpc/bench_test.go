package grpc

import (
	"context"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load/kv"
)

// echoMethod answers with its request. Its messages are of a generated type, so that a
// client with generated code can be held beside.
const echoMethod = "/bench.Echo/Echo"

// echoProto describes the service. The message has the fields of the generated one that
// are used.
const echoProto = `syntax = "proto3"; package bench;
message Request { string host = 1; string file_by_filename = 3; }
service Echo { rpc Echo(Request) returns (Request); }`

type typed = grpc_reflection_v1.ServerReflectionRequest

func newTyped() *typed {
	return &typed{Host: strings.Repeat("h", 50), MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_FileByFilename{FileByFilename: strings.Repeat("f", 46)}}
}

// echoServer serves with the generated type.
func echoServer(b *testing.B) string {
	s := grpc.NewServer()
	s.RegisterService(&grpc.ServiceDesc{ServiceName: "bench.Echo", HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{{
		MethodName: "Echo",
		Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			q := new(typed)
			if err := decode(q); err != nil {
				return nil, err
			}
			return q, nil
		},
	}}}, struct{}{})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go s.Serve(l)
	b.Cleanup(s.Stop)
	return l.Addr().String()
}

func bareConn(b *testing.B, addr string, o ...grpc.CallOption) *grpc.ClientConn {
	conn, err := grpc.NewClient("passthrough:///"+addr, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDisableRetry(), grpc.WithDisableServiceConfig(), grpc.WithDefaultCallOptions(o...))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	return conn
}

func echoSettings(b *testing.B, addr string) kv.Settings {
	file := b.TempDir() + "/echo.proto"
	if err := os.WriteFile(file, []byte(echoProto), 0o600); err != nil {
		b.Fatal(err)
	}
	m := newTyped()
	return kv.Settings{URL: "grpc://" + addr + echoMethod, Props: kv.Properties{
		"grpc.proto": file,
		"grpc.body":  fmt.Sprintf(`{"host":%q,"file_by_filename":%q}`, m.Host, m.GetFileByFilename()),
	}}
}

// BenchmarkCalls interleaves batches of 200 calls: of tare's worker, of a bare loop that
// sends encoded messages, both with and without a deadline, and of a bare loop with
// messages of a generated type. It reports the median of each in µs per call, and the median
// of its differences to the bare loop without a deadline, batch by batch.
func BenchmarkCalls(b *testing.B) {
	const turn = 200
	addr := echoServer(b)
	plain := user(b, echoSettings(b, addr))
	set := echoSettings(b, addr)
	set.OpTimeout = 10 * time.Second
	late := user(b, set)
	raw, gen := bareConn(b, addr, grpc.ForceCodecV2(rawCodec{})), bareConn(b, addr)
	bytes := plain.fixed[0]
	message := newTyped()
	ctx := b.Context()
	loops := []struct {
		name string
		call func() error
	}{
		{"bare", func() error { var a answer; return raw.Invoke(ctx, echoMethod, bytes, &a) }},
		{"tare", func() error { return send(plain, 0) }},
		{"bare-deadline", func() error {
			ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			var a answer
			return raw.Invoke(ctx, echoMethod, bytes, &a)
		}},
		{"tare-deadline", func() error { return send(late, 0) }},
		{"typed", func() error { return gen.Invoke(ctx, echoMethod, message, new(typed)) }},
	}
	took := make([][]float64, len(loops))
	for b.Loop() {
		for i, l := range loops {
			began := time.Now()
			for range turn {
				if err := l.call(); err != nil {
					b.Fatal(err)
				}
			}
			took[i] = append(took[i], float64(time.Since(began).Nanoseconds())/1e3/turn)
		}
	}
	for i, l := range loops {
		more := make([]float64, len(took[i]))
		for j := range more {
			more[j] = took[i][j] - took[0][j]
		}
		b.ReportMetric(middle(took[i]), l.name+"-µs/call")
		if i > 0 {
			b.ReportMetric(middle(more), l.name+"-bare-µs/call")
		}
	}
	b.ReportMetric(0, "ns/op")
}

func middle(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// BenchmarkAgainstBare compares runs of the engine with bare loops: a connection for each
// worker, and ready bytes.
func BenchmarkAgainstBare(b *testing.B) {
	const workers = 4
	addr := echoServer(b)
	opened, err := Open(b.Context(), echoSettings(b, addr))
	if err != nil {
		b.Fatal(err)
	}
	defer opened.Close()
	bytes := opened.(*target).fixed[0]
	servers.Against(b, workers, opened, func(int) func() error {
		conn := bareConn(b, addr, grpc.ForceCodecV2(rawCodec{}))
		return func() error { var a answer; return conn.Invoke(b.Context(), echoMethod, bytes, &a) }
	})
}

// BenchmarkPrepare is what happens between calls, untimed.
func BenchmarkPrepare(b *testing.B) {
	addr := echoServer(b)
	for name, body := range map[string]string{"fixed": `{"host":"a"}`, "varying": `{"host":"{k}","file_by_filename":"{rand:1000}"}`} {
		b.Run(name, func(b *testing.B) {
			s := echoSettings(b, addr)
			s.Props["grpc.body"] = body
			w := user(b, s)
			b.ReportAllocs()
			for k := uint64(0); b.Loop(); k++ {
				w.Prepare(k)
			}
		})
	}
}

// Package grpc puts a gRPC service under load. It is a [load.Target] by itself and
// takes no workload. Its client is large, so that only tare-full has it.
//
// # Recipe
//
//	tare-full load --db grpc://127.0.0.1:9000/shop.Orders/Get -p 'grpc.body={"id":"{k}"}' --rate 2000
//	tare-full load --db grpcs://127.0.0.1:9000/shop.Orders/Get -p grpc.ca=ca.pem -p grpc.proto=shop.proto
//
// # Properties
//
//	grpc.url                   the URL, or the URL after --db: grpc://HOST:PORT/PACKAGE.SERVICE/METHOD; grpcs over TLS
//	grpc.body                  the message in JSON, a template as http.body is one; or @FILE; default the empty message
//	grpc.header.NAME           metadata of every call; names that end with -bin have values in base64
//	grpc.proto                 a .proto file that describes the service
//	grpc.import                folders of what that file imports, with commas between them
//	grpc.descriptors           instead: a file with a FileDescriptorSet, as protoc --descriptor_set_out --include_imports writes it
//	grpc.timeout               deadline of a call, which is sent to the server; default --op-timeout
//	grpc.expect       OK       status codes that are no errors, as OK,NotFound
//	grpc.limit        67108864 limit of an answer, in bytes
//	grpc.insecure     false    true: without checking the server's certificate
//	grpc.ca                    a file of certificates in PEM that are trusted, instead of the system's
//	grpc.cert, grpc.key        files of a client certificate and its key, in PEM
//	grpc.servername            name that the server's certificate must have, instead of the host's
//
// Without grpc.proto and grpc.descriptors the server is asked, by reflection v1 and then
// v1alpha, once before the run. A server on another machine needs the consent that
// [load.Consent] describes.
//
// A method with a stream of requests takes several messages: a JSON array of them, or
// one behind the other as in JSON Lines. Then all are sent, the stream is closed, and
// the answers are read to the end.
//
// # What is measured
//
// The operation is named for the method. JSON becomes bytes before the operation is due:
// once if the body does not vary, else for each call. An operation ends when the status
// of the call has come. Answers are read and not decoded.
//
// The classes of errors:
//
//	timeout      DeadlineExceeded
//	refused      Unavailable, because no connection could be made
//	reset        Unavailable, because the connection was lost or the server ended it
//	protocol     the answer was not gRPC
//	not_allowed  the address may not be loaded
//	canceled     Canceled
//	unsupported  Unimplemented
//	client       InvalidArgument, NotFound, AlreadyExists, PermissionDenied,
//	             Unauthenticated, FailedPrecondition, OutOfRange
//	server       other codes: Unknown, Internal, Unavailable, ResourceExhausted,
//	             Aborted, DataLoss
//	status       OK, where grpc.expect does not have it
//
// A call without a status from the server, because it took longer than grpc.timeout or
// lost its connection, is an error whatever grpc.expect says.
//
// # Client
//
// Each worker has its own connection: calls that share one wait for each other where the
// server limits the streams of a connection. Nothing is sent again, and there are no
// proxies, name services or service configurations. After a connection was lost the next
// call makes another one.
package grpc

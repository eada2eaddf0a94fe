package grpc

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
)

// reflectionMethods are the ways to ask a server for its services. v1alpha has the same
// messages as v1 under another name.
var reflectionMethods = [...]string{
	"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
	"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
}

// errNoReflection is the error of a server that cannot be asked.
var errNoReflection = errors.New("the server does not tell its services (no reflection): describe them by -p grpc.proto=FILE.proto or -p grpc.descriptors=FILE")

// askServer asks the server for the file of a service and for what it imports.
func askServer(ctx context.Context, conn *grpc.ClientConn, service string) (*protoregistry.Files, error) {
	for _, method := range reflectionMethods {
		files, err := askBy(ctx, conn, method, service)
		if status.Code(err) != codes.Unimplemented {
			return files, err
		}
	}
	return nil, errNoReflection
}

type (
	reflectionRequest  = grpc_reflection_v1.ServerReflectionRequest
	reflectionResponse = grpc_reflection_v1.ServerReflectionResponse
)

// reflectionStream is a stream of questions to a server about itself.
type reflectionStream struct{ stream grpc.ClientStream }

func askBy(ctx context.Context, conn *grpc.ClientConn, method, service string) (*protoregistry.Files, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}, method)
	if err != nil {
		return nil, err
	}
	m := reflectionStream{s}
	if service == "" {
		return nil, m.noService(service)
	}
	var set descriptorpb.FileDescriptorSet
	have := map[string]bool{}
	err = m.add(&set, have, &reflectionRequest{MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: service}})
	if missing := (*missingError)(nil); errors.As(err, &missing) && missing.code == codes.NotFound {
		return nil, m.noService(service)
	}
	if err != nil {
		return nil, err
	}
	if err := m.addImports(&set, have); err != nil {
		return nil, err
	}
	return newFiles(&set)
}

// mostFiles limits how many files a server may refer to.
const mostFiles = 10_000

// addImports asks for the imports of the files, and for theirs.
func (m reflectionStream) addImports(set *descriptorpb.FileDescriptorSet, have map[string]bool) error {
	for i := 0; i < len(set.File); i++ {
		if len(set.File) > mostFiles {
			return fmt.Errorf("the service needs more than %d files", mostFiles)
		}
		for _, name := range set.File[i].Dependency {
			if have[name] {
				continue
			}
			have[name] = true
			err := m.add(set, have, &reflectionRequest{MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_FileByFilename{FileByFilename: name}})
			if missing := (*missingError)(nil); errors.As(err, &missing) {
				continue // the messages may not need it; else linking them fails
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// missingError is what the server answered instead of a file.
type missingError struct {
	code codes.Code
	text string
}

func (e *missingError) Error() string { return fmt.Sprintf("reflection: %s: %s", e.code, e.text) }

// add asks and adds the files of the answer that are new.
func (m reflectionStream) add(set *descriptorpb.FileDescriptorSet, have map[string]bool, q *reflectionRequest) error {
	a, err := m.ask(q)
	if err != nil {
		return err
	}
	for _, data := range a.GetFileDescriptorResponse().GetFileDescriptorProto() {
		fd := new(descriptorpb.FileDescriptorProto)
		if err := proto.Unmarshal(data, fd); err != nil {
			return fmt.Errorf("reflection: a file that cannot be read: %w", clean(err))
		}
		if i := fd.GetName(); !have[i] || len(set.File) == 0 || !contains(set, i) {
			have[i] = true
			set.File = append(set.File, fd)
		}
	}
	return nil
}

func contains(set *descriptorpb.FileDescriptorSet, name string) bool {
	for _, fd := range set.File {
		if fd.GetName() == name {
			return true
		}
	}
	return false
}

// ask returns the answer of the server, or its error.
func (m reflectionStream) ask(q *reflectionRequest) (*reflectionResponse, error) {
	if err := m.stream.SendMsg(q); err != nil && err != io.EOF { // io.EOF: the status follows
		return nil, err
	}
	a := new(reflectionResponse)
	if err := m.stream.RecvMsg(a); err != nil {
		if err == io.EOF {
			err = errors.New("reflection: the server ended the conversation")
		}
		return nil, err
	}
	if e := a.GetErrorResponse(); e != nil {
		return nil, &missingError{codes.Code(e.ErrorCode), e.ErrorMessage}
	}
	return a, nil
}

// noService returns the error for a service that the server does not have.
func (m reflectionStream) noService(service string) error {
	a, err := m.ask(&reflectionRequest{MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{}})
	if err != nil {
		return err
	}
	var names []string
	for _, s := range a.GetListServicesResponse().GetService() {
		if n := protoreflect.FullName(s.Name).Parent(); n != "grpc.reflection.v1" && n != "grpc.reflection.v1alpha" {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		return errors.New("the server tells of no service")
	}
	return noService(service, names)
}

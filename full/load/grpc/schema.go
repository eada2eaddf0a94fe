package grpc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/tarebench/tare/internal/base/input/regularfile"
	"github.com/tarebench/tare/internal/base/suggest"
)

// schemaFiles are files that describe the service.
type schemaFiles struct {
	proto   string   // a .proto file
	imports []string // folders of what it imports
	set     string   // a FileDescriptorSet
}

func (f schemaFiles) given() bool { return f.proto != "" || f.set != "" }

// maxSchema is the limit of a file that describes a service, in bytes.
const maxSchema = 64 << 20

// read returns what the files describe. Its error names the property.
func (f schemaFiles) read(ctx context.Context) (*protoregistry.Files, error) {
	if f.proto != "" {
		files, err := f.compile(ctx)
		if err != nil {
			return nil, fmt.Errorf("property grpc.proto: %w", err)
		}
		return files, nil
	}
	files, err := f.readSet()
	if err != nil {
		return nil, fmt.Errorf("property grpc.descriptors: %w", err)
	}
	return files, nil
}

// compile reads a .proto file. Imports are searched for in the folders that were given, and
// then beside the file.
func (f schemaFiles) compile(ctx context.Context) (*protoregistry.Files, error) {
	if err := regularfile.Check(f.proto, maxSchema); err != nil {
		return nil, err
	}
	folders, name := f.imports, ""
	for _, dir := range folders {
		if rel, err := filepath.Rel(dir, f.proto); err == nil && filepath.IsLocal(rel) {
			name = filepath.ToSlash(rel)
			break
		}
	}
	if name == "" {
		name = filepath.Base(f.proto)
	}
	folders = append(slices.Clone(folders), filepath.Dir(f.proto))
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: folders})}
	compiled, err := c.Compile(ctx, name)
	if err != nil {
		if strings.Contains(err.Error(), "import") || errors.Is(err, os.ErrNotExist) || errors.Is(err, protoregistry.NotFound) {
			return nil, fmt.Errorf("%w (folders of imports: -p grpc.import=DIR,DIR)", err)
		}
		return nil, err
	}
	files := new(protoregistry.Files)
	for _, fd := range compiled {
		if err := register(files, fd); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// register adds a file and what it imports.
func register(files *protoregistry.Files, fd protoreflect.FileDescriptor) error {
	if _, err := files.FindFileByPath(fd.Path()); err == nil {
		return nil
	}
	for i := range fd.Imports().Len() {
		if err := register(files, fd.Imports().Get(i).FileDescriptor); err != nil {
			return err
		}
	}
	return files.RegisterFile(fd)
}

func (f schemaFiles) readSet() (*protoregistry.Files, error) {
	data, err := regularfile.Read(f.set, maxSchema)
	if err != nil {
		return nil, err
	}
	var set descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(data, &set); err != nil || len(set.File) == 0 {
		return nil, fmt.Errorf("%s is no FileDescriptorSet: make one by protoc --include_imports --descriptor_set_out=%s FILE.proto", f.set, filepath.Base(f.set))
	}
	return newFiles(&set)
}

// newFiles links files. What they import and is not there may be missing, unless the
// messages need it.
func newFiles(set *descriptorpb.FileDescriptorSet) (*protoregistry.Files, error) {
	files, err := protodesc.FileOptions{AllowUnresolvable: true}.NewFiles(set)
	if err != nil {
		return nil, clean(err)
	}
	return files, nil
}

// findMethod returns the method. Its error names the nearest service or method.
func findMethod(files *protoregistry.Files, service, method string) (protoreflect.MethodDescriptor, error) {
	sd, err := findService(files, service)
	if err != nil {
		return nil, err
	}
	if m := sd.Methods().ByName(protoreflect.Name(method)); m != nil {
		return m, nil
	}
	var names []string
	for i := range sd.Methods().Len() {
		names = append(names, string(sd.Methods().Get(i).Name()))
	}
	if method == "" {
		return nil, fmt.Errorf("the URL names no method; %s has %s", service, list(names))
	}
	return nil, fmt.Errorf("service %s has no method %q; %s", service, method, nearest(method, names))
}

func findService(files *protoregistry.Files, service string) (protoreflect.ServiceDescriptor, error) {
	d, err := files.FindDescriptorByName(protoreflect.FullName(service))
	if sd, ok := d.(protoreflect.ServiceDescriptor); ok && err == nil {
		return sd, nil
	}
	var names []string
	files.RangeFiles(func(fd protoreflect.FileDescriptor) bool {
		for i := range fd.Services().Len() {
			names = append(names, string(fd.Services().Get(i).FullName()))
		}
		return true
	})
	return nil, noService(service, names)
}

// noService returns the error for a service that is not among those with the names.
func noService(service string, names []string) error {
	slices.Sort(names)
	switch {
	case len(names) == 0:
		return errors.New("there is no service in it")
	case service == "":
		return fmt.Errorf("the URL names no service; there is %s", list(names))
	}
	return fmt.Errorf("there is no service %q; %s", service, nearest(service, names))
}

// nearest returns advice: the known name that is nearest to a mistyped one, or else all.
func nearest(name string, names []string) string {
	best, least := "", len(name)/3+1
	for _, n := range names {
		if d := suggest.Distance(strings.ToLower(name), strings.ToLower(n)); d <= least {
			best, least = n, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "there is " + list(names)
}

// list names at most ten.
func list(names []string) string {
	if more := len(names) - 10; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:10], ", "), more)
	}
	return strings.Join(names, ", ")
}

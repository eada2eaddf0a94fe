package build

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"time"

	"github.com/tarebench/tare/internal/binary/objfile"
)

// Build builds the test binary of a package that Resolve found, or takes it from the cache. If go fails, the error is
// an *Error. It wraps [ErrCompile] if the sources do not compile or link, [ErrNoTests] if there are no test files,
// and [ErrDeep] if only the build with hooks fails. Goroutines may call Build at the same time.
func Build(ctx context.Context, opt Options, p Package) (Binary, error) {
	start := time.Now()
	if err := opt.Validate(); err != nil {
		return Binary{}, err
	}
	if p.Error != nil {
		return Binary{}, p.Error
	}
	if len(p.TestFiles)+len(p.XTestFiles) == 0 {
		return Binary{}, noTests(p, "")
	}
	b, err := inCache(opt, p, func(c *cache, at place) (Binary, error) { return c.build(ctx, opt, p, at) })
	b.Took = time.Since(start)
	return b, err
}

// inCache has a function build a package in the cache, or in a temporary one.
func inCache(opt Options, p Package, build func(*cache, place) (Binary, error)) (Binary, error) {
	at, err := p.buildPlace(opt)
	if err != nil {
		return Binary{}, err
	}
	c, err := openCache(opt.CacheDir)
	if err != nil {
		return Binary{}, err
	}
	b, err := build(c, at)
	if err != nil {
		c.remove()
		return Binary{}, err
	}
	if c.temporary != nil {
		b.temp, b.Uncached = c.temporary, c.why
	}
	return b, nil
}

// buildPlace returns where go runs for the package. For a Package that Resolve did not create it is the directory of
// the options.
func (p Package) buildPlace(opt Options) (place, error) {
	if p.at.dir != "" {
		return p.at, nil
	}
	dir, err := opt.dir()
	return place{dir: dir}, err
}

func (c *cache) build(ctx context.Context, opt Options, p Package, at place) (Binary, error) {
	env, err := opt.goEnv(ctx, at)
	if err != nil {
		return Binary{}, err
	}
	if opt.Deep {
		if at, err = c.addHooks(opt, p, at, env); err != nil {
			return Binary{}, err
		}
	}
	return c.link(opt, p, at, env, ".test", func(target string) error {
		err := goTest(ctx, opt, p, at, target)
		if err != nil && opt.Deep {
			err = hooksError(p, err)
		}
		return err
	})
}

// link has a function make go write a binary to a file, into the cache. The name of the binary ends in suffix.
func (c *cache) link(opt Options, p Package, at place, env map[string]string, suffix string, make func(target string) error) (Binary, error) {
	tmp, err := c.workDir()
	if err != nil {
		return Binary{}, err
	}
	defer tmp.Remove()

	work := tmp.Path
	name, ext := binaryName(p.ImportPath), suffix+env["GOEXE"]
	target := filepath.Join(work, name+ext)
	key := slotKey(opt, p, at, env)
	old, haveOld := c.slotEntry(key)
	if haveOld {
		haveOld = linkOrCopy(c.path(old), target) == nil
	}
	if err := make(target); err != nil {
		return Binary{}, err
	}
	e, cached := old, haveOld && sameFile(target, c.path(old))
	if !cached {
		if e, err = c.add(target, p.ImportPath, name, ext); err != nil {
			return Binary{}, err
		}
		cached = haveOld && e == old
	}
	if err := c.setSlot(key, e, work); err != nil {
		return Binary{}, err
	}
	if !cached && c.temporary == nil {
		c.evict(time.Now(), standardLimits)
	}
	b, info, err := newBinary(p, e, c.path(e), cached)
	if err == nil {
		b.Root, b.Settings = env["GOROOT"], settings(opt, p, at, env, info)
	}
	return b, err
}

func newBinary(p Package, e entry, file string, cached bool) (Binary, *debug.BuildInfo, error) {
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		return Binary{}, nil, fmt.Errorf("binary of %s: %w", p.ImportPath, err)
	}
	f, err := objfile.Open(file)
	if err != nil {
		return Binary{}, nil, fmt.Errorf("binary of %s: %w", p.ImportPath, err)
	}
	defer f.Close()
	_, id := f.BuildIDs()
	return Binary{
		Pkg: p.ImportPath, Version: p.Version, Path: file, SHA256: e.SHA256, BuildID: id,
		Size: e.Size, Dir: p.Dir, Go: info.GoVersion, Cached: cached,
	}, info, nil
}

// goTest makes go write the test binary to target, unless it exists and is up to date.
//
// -vet=off because vet takes time and rejects working benchmarks; -trimpath and -buildvcs=false because the same code
// should give the same binary in any directory and revision. They follow the user's flags and override them.
func goTest(ctx context.Context, opt Options, p Package, at place, target string) error {
	args := append([]string{"test", "-c"}, opt.flags(at.flags)...)
	args = append(args, "-vet=off", "-trimpath", "-buildvcs=false", "-o", target, p.ImportPath)
	output, err := opt.combined(ctx, at, args...)
	if err != nil {
		return compileError(p.ImportPath, err)
	}
	if _, err := os.Stat(target); err != nil {
		return noTests(p, output) // go reports this, writes nothing and does not fail
	}
	return nil
}

func noTests(p Package, output string) error {
	return &Error{Input: p.ImportPath, Msg: "no test files", Output: output, Err: ErrNoTests}
}

// slotKey returns the key of the slot with the last binary of this build. go itself checks most of what a binary
// depends on. The key contains the rest: the C compiler and its flags, which are in env. An overlay is one of the
// flags and named after its content.
func slotKey(opt Options, p Package, at place, env map[string]string) string {
	where := []string{opt.Revision}
	if opt.Revision == "" {
		where = []string{p.Dir, at.dir}
	}
	text, err := json.Marshal([]any{1, p.ImportPath, where, at.env, at.flags,
		opt.Toolchain, opt.Env, opt.Flags, opt.Tags, env})
	if err != nil {
		panic(err) // strings only
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// binaryName returns the name that go gives a test binary: the last element of the import path that is
// not a major version.
func binaryName(importPath string) string {
	dir, name := path.Split(importPath)
	if majorVersion.MatchString(name) && dir != "" {
		name = path.Base(dir)
	}
	return name
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

package build

import (
	"cmp"
	"errors"
	"regexp"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// rule maps an error of the go command to a message and a hint. In both, $1 is a submatch, {in} the input as the user
// typed it, {path} the input without its @version, and {version} that version. If msg is empty, the message is go's
// line. The first matching rule applies, so specific rules come first.
type rule struct {
	re        *regexp.Regexp
	msg, hint string
}

const hintModule = "cd into a module, or name the package as path@version, such as golang.org/x/text/unicode/norm@latest"

var rules = []rule{
	// Places.
	{regexp.MustCompile(`directory not found|l?stat \S*: no such file or directory`),
		"no such directory", ""},
	{regexp.MustCompile(`no Go files in`),
		"no Go files in this directory", "{in}/... selects the packages below it"},
	{regexp.MustCompile(`build constraints exclude all Go files`),
		"build constraints exclude all of its Go files", "build tags, GOOS, GOARCH and CGO_ENABLED decide which files take part"},
	{regexp.MustCompile(`no required module provides package .*go\.mod file not found`),
		"no go.mod here selects a version", "{in}@latest, or cd into a module that requires it"},
	{regexp.MustCompile(`go\.mod file not found|cannot find main module`),
		"no go.mod in this directory or above", hintModule},
	{regexp.MustCompile(`directory prefix \S+ does not contain main module`),
		"no module in use here contains it", hintModule},
	{regexp.MustCompile(`main module \((\S+)\) does not contain package`),
		"belongs to another module than $1", "cd there first: a directory is built in its own module"},
	{regexp.MustCompile(`outside (main module or its selected dependencies|modules listed in go\.work)`),
		"belongs to another module", "cd there first: a directory is built in its own module"},
	{regexp.MustCompile(`no required module provides package ([^\s:;]+)`),
		"no required module provides the package $1", "$1@latest builds the published version; go get $1 adds it to this module"},
	{regexp.MustCompile(`cannot find module providing package ([^\s:;]+)`),
		"no required module provides the package $1", "$1@latest builds the published version; go get $1 adds it to this module"},

	// Go itself.
	{regexp.MustCompile(`requires go >= (\S+) \(running go ([^\s;)]+)`),
		"needs Go $1, and this is Go $2", "GOTOOLCHAIN=auto lets go fetch a newer one"},
	{regexp.MustCompile(`go: download (go1\S*?)(?: for \S+)?: `),
		"the Go toolchain $1 cannot be downloaded", "https://go.dev/dl lists all versions"},
	{regexp.MustCompile(`invalid GOTOOLCHAIN`), "", "valid names are go1.25.0, auto, local"},

	// Modules by version.
	{regexp.MustCompile(`of standard library package (\S+)`),
		"a package of the standard library comes with Go and has no version of its own", "use {path} without a version; GOTOOLCHAIN selects the toolchain"},
	{regexp.MustCompile(`invalid module version syntax`),
		"the version after @ is missing or malformed", "{path}@latest"},
	{regexp.MustCompile(`(?m)lookup disabled by GOPROXY=off|(?:dial tcp|proxyconnect|TLS handshake|x509:).*|: EOF$`),
		unreachable + "$0", hintNetwork},
	{regexp.MustCompile(`module (\S+)@\S+ found(?: \([^)]*\))?, but does not contain package`),
		"the module $1 has no such package in this version", "$1/...@{version} selects all of its packages"},
	{regexp.MustCompile(`malformed module path "[^"]*": (.*)`),
		"not the path of a module: $1", ""},
	{regexp.MustCompile(`/@v/list: (?:[45]\d\d|.*no such file)|unrecognized import path|[Rr]epository not found|could not read Username|terminal prompts disabled`),
		"no such module or version, or it cannot be read from here", "check the path; a private module needs GOPRIVATE, another proxy GOPROXY"},
	{regexp.MustCompile(`unknown revision|no matching versions for query|invalid version|\.(?:info|mod|zip): (?:[45]\d\d|.*no such file)`),
		"the module has no version {version}", "go list -m -versions MODULE lists its versions"},
	{regexp.MustCompile(`checksum mismatch|SECURITY ERROR`),
		"", "the proxy's content differs from the checksum database: do not run it"},

	// The state of go.mod.
	{regexp.MustCompile(`missing go\.sum entry[^\n]*`),
		"$0", "go mod tidy; or {path}@latest, built outside of this module"},
	{regexp.MustCompile(`updates to go\.mod needed|to update it:\s+go mod tidy`),
		"go.mod is not up to date", "go mod tidy"},
	{regexp.MustCompile(`inconsistent vendoring`), "the vendor directory is not up to date", "go mod vendor"},

	// Last, because go reports this for any unknown path without a dot.
	{regexp.MustCompile(`\Apackage (\S+) is not in std`),
		"no such package in the standard library", "a directory is written ./$1; a package of another module has a full path, such as example.com/mod/$1"},
	{regexp.MustCompile(`package (\S+) is not in std`),
		"", "a package of another module has a full path, such as example.com/mod/$1"},
}

// explain converts go's output about input to an *Error.
func explain(input, output string) *Error {
	e := &Error{Input: input, Msg: firstLine(output), Output: output, Absent: toolchain.SaysAbsent(output)}
	path, version, _ := strings.Cut(input, "@")
	fill := strings.NewReplacer("{in}", strings.TrimSuffix(input, "/"), "{path}", path, "{version}", version)
	for _, r := range rules {
		m := r.re.FindStringSubmatchIndex(output)
		if m == nil {
			continue
		}
		if r.msg != "" {
			e.Msg = fill.Replace(string(r.re.ExpandString(nil, r.msg, output, m)))
		}
		e.Hint = fill.Replace(string(r.re.ExpandString(nil, r.hint, output, m)))
		break
	}
	if line := networkLine(output); line != "" {
		e.Server, e.Absent, e.Hint = true, false, hintNetwork
		if !strings.HasPrefix(e.Msg, unreachable) {
			e.Msg = unreachable + strings.TrimSpace(line)
		}
	}
	return e
}

// What is said if a module cannot be looked up because of the network or the module proxy.
const (
	unreachable = "the module cannot be looked up: "
	hintNetwork = "check the network and the module proxy (go env GOPROXY)"
)

// explainFailure is explain for the error of a go command. It returns other errors, such as the end of a context,
// unchanged.
func explainFailure(input string, err error) error {
	var f *goFailure
	if !errors.As(err, &f) {
		return err
	}
	e := explain(input, f.output)
	e.Err = f.err
	return e
}

// noise matches lines that report progress and not errors.
var noise = regexp.MustCompile(`^(#|\s*$|FAIL\b|ok\s|go: (downloading|finding|extracting|added|upgraded|downgraded|removed|trying|warning)\b)`)

// firstLine returns the first line of output that is not noise, without the leading "go: ". A line that ends with a colon only
// announces the next one, which is added.
func firstLine(output string) string {
	first := ""
	for line := range strings.Lines(output) {
		if line = strings.TrimRight(line, "\r\n"); noise.MatchString(line) {
			continue
		}
		first += strings.TrimPrefix(strings.TrimSpace(line), "go: ")
		if !strings.HasSuffix(first, ":") || len(first) > longestTitle {
			return first
		}
		first += " "
	}
	return cmp.Or(strings.TrimSpace(first), "go failed without a message")
}

// longestTitle bounds in bytes what firstLine joins.
const longestTitle = 200

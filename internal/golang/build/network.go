package build

import "regexp"

// Lines of the go command, and of git below it, about servers that could not be reached or did not serve. What a server answered
// about a module (404, 410, other content than the checksum says) is none of them.
var (
	transport = regexp.MustCompile(`(?m)(?:Get|Head) "?https?://[^\s"]+"?: .*|(?:reading|fetching) https?://\S+: (?:(?:5\d\d|429|408|407)\b.*|.*(?:EOF|timeout|timed out|deadline|reset|refused|stream error|broken pipe).*)`)
	gitFailed = regexp.MustCompile(`(?m)^\s*(?:fatal|error|ssh): .*(?:Could not resolve host|Could not connect|Failed to connect|Connection (?:timed out|refused|reset|closed)|Operation timed out|Network is unreachable|No route to host|early EOF|unexpected disconnect|requested URL returned error: (?:5\d\d|429)|RPC failed|Temporary failure in name resolution).*`)
	proxyOff  = regexp.MustCompile(`module lookup disabled by GOPROXY=off`)

	// noSuchHost names the server of a path that no module has: the proxy does not know it, and its own server does not exist.
	noSuchHost = regexp.MustCompile(`unrecognized import path .*: lookup \S+(?: on \S+)?: no such host`)
	othersWord = regexp.MustCompile(`checksum mismatch|SECURITY ERROR`)
)

// networkLine returns the line of go's output that says that the network or the module proxy failed, "" if none does: that says nothing
// about the code.
func networkLine(output string) string {
	if othersWord.MatchString(output) || noSuchHost.MatchString(output) {
		return ""
	}
	for _, re := range []*regexp.Regexp{transport, gitFailed, proxyOff} {
		if line := re.FindString(output); line != "" {
			return line
		}
	}
	return ""
}

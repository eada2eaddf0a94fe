package instructions

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
)

// errNoRDTSCP is the reason on virtual machines that hide the instruction from programs. Valgrind says to programs that
// they have it, as Go's runtime asks, and then cannot run it.
var errNoRDTSCP = errors.New("valgrind cannot run programs of Go on this processor, which has no instruction RDTSCP")

// checkProcessor returns why valgrind cannot run programs of Go on a processor of amd64, as the file /proc/cpuinfo
// describes it. What cannot be read is no reason.
func checkProcessor(cpuinfo string) error {
	f, err := os.Open(cpuinfo)
	if err != nil {
		return nil
	}
	defer f.Close()
	if flags := flagsOf(f); flags != nil && !slices.Contains(flags, "rdtscp") {
		return errNoRDTSCP
	}
	return nil
}

// flagsOf returns the features of a processor. It returns nil if the file does not list them.
func flagsOf(cpuinfo io.Reader) []string {
	lines := bufio.NewScanner(cpuinfo)
	lines.Buffer(nil, 1<<16)
	for lines.Scan() {
		if key, flags, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "flags" {
			return append([]string{}, strings.Fields(flags)...)
		}
	}
	return nil
}

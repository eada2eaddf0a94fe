package flags

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestOneOutput: where there is one output, a second is refused.
func TestOneOutput(t *testing.T) {
	var out string
	fl := pflag.NewFlagSet("", pflag.ContinueOnError)
	Output(fl, &out, "write to `FILE`")
	Once(fl)
	if err := fl.Parse([]string{"-o", "a.json", "--output=b.json"}); err == nil || !strings.Contains(err.Error(), "a.json") || out != "a.json" {
		t.Errorf("%v, %q", err, out)
	}
}

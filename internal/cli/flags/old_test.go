package flags

import (
	"testing"

	"github.com/spf13/cobra"
)

// TestOld: an old name of a flag is refused, with what it is called now in the verb at hand, and no other verb's.
func TestOld(t *testing.T) {
	for flag, want := range map[string]string{
		"sample-interval": "--interval is --sample-interval now", "status-interval": "--interval is --status-interval now", "rate": "",
	} {
		cmd := &cobra.Command{Use: "x"}
		cmd.Flags().String(flag, "", "")
		if got := oldHint(cmd, "interval"); got != want {
			t.Errorf("with --%s: %q, want %q", flag, got, want)
		}
	}
}

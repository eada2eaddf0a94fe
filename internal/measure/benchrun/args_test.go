package benchrun

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/internal/base/redact"
)

// TestRedactedArgs: what was redacted cannot be resumed.
func TestRedactedArgs(t *testing.T) {
	secret := redactedArgs([]string{"-api-token", "hush", "-n=5"})
	if slices.Contains(secret, "hush") || checkArgs("x", secret) == nil || checkArgs("x", []string{"-n=5"}) != nil {
		t.Errorf("%q, and redacted secrets are %s", secret, redact.Placeholder)
	}
}

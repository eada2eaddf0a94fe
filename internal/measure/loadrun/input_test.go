package loadrun

import (
	"runtime"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/measure/job"
)

// TestInputsRefused: a device is no file of properties or due times.
func TestInputsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such file there")
	}
	const device = "/dev/zero"
	_, properties := readProperties(device)
	_, replay := (&job.Load{Replay: device}).Schedule()
	for _, err := range []error{properties, replay} {
		if err == nil || !strings.Contains(err.Error(), "/dev/zero: is a device") {
			t.Errorf("%v", err)
		}
	}
}

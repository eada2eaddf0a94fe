package commandrun

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/base/redact"
)

// TestTailSecrets: wherever the end of an output is cut, no half of a secret stays.
func TestTailSecrets(t *testing.T) {
	const secret = "qrfirsthalf-qrsecondhalf"
	redact.Add(secret)
	e, err := newStderrFile()
	if err != nil {
		t.Fatal(err)
	}
	defer e.close()
	for name, text := range map[string]string{
		"line clip":             strings.Repeat("x", 190) + secret,
		"password at the clip":  strings.Repeat("x", 180) + " password=qrfirst" + strings.Repeat("y", 40),
		"tail":                  "a" + secret + strings.Repeat("y", keepTail-12),
		"tail of lines":         "a\n" + secret + "\n" + strings.Repeat("line\n", (keepTail-12)/5),
		"what is read":          "a" + secret + strings.Repeat("y", readTail-12),
		"password of two lines": "password='qrfirst\nqrsecond'\n" + strings.Repeat("z\n", 9),
		"one long line":         strings.Repeat("x", keepTail) + " token=qr" + strings.Repeat("y", 2*keepTail),
	} {
		if _, err := e.begin().WriteString(text); err != nil {
			t.Fatal(err)
		}
		if shown := e.tail(); strings.Contains(shown, "qr") || strings.Contains(shown, "half") || shown == "" || len(shown) > keepTail {
			t.Errorf("%s: %q", name, shown)
		}
	}
}

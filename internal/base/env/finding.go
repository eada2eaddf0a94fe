package env

import "fmt"

// Level is the severity of a finding.
type Level string

const (
	OK   Level = "ok"   // no problem
	Warn Level = "warn" // a problem; Advice says what to do
	NA   Level = "n/a"  // not available; Text says why
)

// Finding is the result of one probe, one line of "tare doctor".
type Finding struct {
	Level  Level  `json:"level"`
	Name   string `json:"name"`             // stable, for scripts: clock, steal, governor …
	Text   string `json:"text"`             // one line, with figures
	Advice string `json:"advice,omitempty"` // one line; set with Warn, and with NA if something helps
}

func ok(name, format string, args ...any) Finding {
	return Finding{Level: OK, Name: name, Text: fmt.Sprintf(format, args...)}
}

func warn(name, advice, format string, args ...any) Finding {
	return Finding{Level: Warn, Name: name, Text: fmt.Sprintf(format, args...), Advice: advice}
}

func notAvailable(name, format string, args ...any) Finding {
	return Finding{Level: NA, Name: name, Text: fmt.Sprintf(format, args...)}
}

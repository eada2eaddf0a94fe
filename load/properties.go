package load

// Properties are settings by name, as YCSB has them: from files (-P) and single
// ones (-p name=value).
type Properties map[string]string

// Redact returns what may be shown and recorded of a value: "***" for one whose
// name says that it is secret (*.dsn, *.password, *.token, authorization, cookie …), a URL
// without its password, the value itself else.
func Redact(name, value string) string { panic("to be written") }

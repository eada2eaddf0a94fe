package load

// Class returns the class of an operation's error, by which it is counted:
// "not_found", which is no failure, "timeout", "refused", "reset", "protocol",
// "server", "integrity", "canceled", "unsupported" or "other".
func Class(err error) string { panic("to be written") }

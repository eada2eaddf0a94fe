package cluster

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// AgentRights returns the subjects that an agent may publish on, and those that it may subscribe to. Besides, it may answer
// what it is asked. A controller may use every subject.
func AgentRights(id string) (publish, subscribe []string) {
	return []string{"hello", "beat." + id, "data." + id}, []string{"agent." + id, "control"}
}

// maxName is the limit of a name, in bytes.
const maxName = 64

// CheckName returns an error unless a name can be a part of a subject: 1 to 64 ASCII letters, digits, - and _. A name with a
// dot or a wildcard would give an agent the rights of others.
func CheckName(name string) error {
	isOther := func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' || r == '_')
	}
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, isOther) {
		return fmt.Errorf("%q is no name: it needs 1 to %d letters, digits, - or _", name, maxName)
	}
	return nil
}

// CheckAgentName returns an error unless a name can be that of an agent: 1 to 64 bytes that can be shown, without what
// separates names in lists.
func CheckAgentName(name string) error {
	isOther := func(r rune) bool { return !unicode.IsPrint(r) || r == ',' || r == '=' || r == utf8.RuneError }
	if name == "" || len(name) > maxName || strings.ContainsFunc(name, isOther) {
		return fmt.Errorf("%q is no name of an agent: it needs 1 to %d bytes that can be shown, without , and =", name, maxName)
	}
	return nil
}

// CheckSize returns an error that names the size of a message if it is above [MaxMessage].
func CheckSize(subject string, data []byte) error {
	if len(data) > MaxMessage {
		return fmt.Errorf("a message on %s has %d bytes: at most %d may be sent", subject, len(data), MaxMessage)
	}
	return nil
}

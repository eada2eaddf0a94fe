package session

import (
	"slices"
	"testing"
)

// TestSecretNames: what names a place, a person or a kind of session is none.
func TestSecretNames(t *testing.T) {
	for name, want := range map[string]bool{
		"API_KEY": true, "DB_PASSWORD": true, "DB_PWD": true, "PWD_HASH": true, "GITHUB_TOKEN": true, "HF_TOKEN": true, "AUTH": true, "X_AUTHORIZATION": true,
		"AWS_SESSION_TOKEN": true, "SESSION": true, "COOKIE": true, "DATABASE_URL": true, "private": true, "OAUTH_SOCK_SECRET": true,
		"PWD": false, "OLDPWD": false, "XDG_SESSION_CLASS": false, "XDG_SESSION_ID": false, "DESKTOP_SESSION": false, "SSH_AUTH_SOCK": false,
		"GIT_AUTHOR_NAME": false, "TOKENIZERS_PARALLELISM": false, "SESSION_MANAGER": false, "HOME": false, "KEYBOARD": false,
	} {
		if got := isSecret(name); got != want {
			t.Errorf("%s is secret: %v, want %v", name, got, want)
		}
	}
	s := NewRedactor("PWD=/home/me/project", "XDG_SESSION_CLASS=user", "API_KEY=sk-1234", "DB_PWD=abc", "EMPTY_TOKEN=")
	if got, want := s.Mask("/home/me/project/user.go: sk-1234 abc"), "/home/me/project/user.go: *** abc"; got != want {
		t.Errorf("masked %q, want %q", got, want)
	}
	got := MaskPairs([]string{"PWD=/x", "API_KEY=sk-1234", "FOO", "TOKEN="})
	if want := []string{"PWD=/x", "API_KEY=***", "FOO", "TOKEN=***"}; !slices.Equal(got, want) {
		t.Errorf("pairs %q, want %q", got, want)
	}
}

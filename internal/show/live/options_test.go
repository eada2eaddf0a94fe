package live

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/base/exit"
)

// TestCheck: addresses that others can reach need a token and a certificate, and no error has the token.
func TestCheck(t *testing.T) {
	const token = "0123456789abcdef"
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good, empty := file("good", token+"\n"), file("empty", " \n")
	for _, c := range []struct {
		o    Options
		want string // in the error; "" for none
	}{
		{Options{}, ""},
		{Options{Token: token}, "--live-token without --live"},
		{Options{Linger: time.Second}, "--live-linger without --live"},
		{Options{Address: "127.0.0.1:0"}, ""},
		{Options{Address: "localhost:8080"}, ""},
		{Options{Address: "[::1]:0", Linger: time.Minute}, ""},
		{Options{Address: "127.0.0.1"}, "no HOST:PORT"},
		{Options{Address: "127.0.0.1:"}, "no HOST:PORT"},
		{Options{Address: "8080"}, "no HOST:PORT"},
		{Options{Address: "127.0.0.1:0", Linger: -1}, "--live-linger"},
		{Options{Address: "127.0.0.1:0", Cert: "c"}, "belong together"},
		{Options{Address: "127.0.0.1:0", Token: token}, ""},
		{Options{Address: "127.0.0.1:0", Token: "@" + good}, ""},
		{Options{Address: "127.0.0.1:0", Token: "@" + empty}, "there is no token in the file"},
		{Options{Address: "127.0.0.1:0", Token: "@" + good + "x"}, "no such file"},
		{Options{Address: "127.0.0.1:0", Token: token[1:]}, "shorter than 16"},
		{Options{Address: "127.0.0.1:0", Token: token + " x"}, "other than"},
		{Options{Address: ":0"}, "others can reach"},
		{Options{Address: "0.0.0.0:0", Token: token}, "others can reach"},
		{Options{Address: "example.org:0", Cert: "c", Key: "k"}, "others can reach"},
		{Options{Address: "localhost.example.org:0"}, "others can reach"},
		{Options{Address: "0.0.0.0:0", Token: token, Cert: "c", Key: "k"}, ""},
	} {
		o := c.o
		err := o.Check()
		switch {
		case err == nil && c.want == "":
			if o.Token != "" && o.Token != token {
				t.Errorf("%+v: the token is %q", c.o, o.Token)
			}
		case err == nil || c.want == "" || !strings.Contains(err.Error(), c.want):
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		case exit.As(err) == nil || exit.As(err).Code != exit.Misuse:
			t.Errorf("%+v: %v is no wrong usage", c.o, err)
		case strings.Contains(err.Error()+exit.As(err).Hint, token[1:]):
			t.Errorf("%+v: the error has the token: %v", c.o, err)
		}
	}
}

package postgres

import (
	"io"
	"net"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/loadtest/servers"
	"github.com/tarebench/tare/load"
)

// TestTooManyConnections: a session that the server refuses says why, and not that its
// connection was closed after that.
func TestTooManyConnections(t *testing.T) {
	addr := servers.Fake(t, func(c net.Conn) {
		c.Read(make([]byte, 1024))
		text := "SFATAL\x00C" + tooManyConnections + "\x00Msorry, too many clients already\x00\x00"
		io.WriteString(c, "E\x00\x00\x00"+string(rune(4+len(text)))+text)
	})
	config, _, err := parseConfig(settings(dsn(addr, "x") + " sslmode=disable"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&store{config: config}).Session(ctx, 0)
	if err == nil || !strings.Contains(err.Error(), "sorry, too many clients already") || load.Class(err) != load.ClassRefused {
		t.Errorf("%v, class %s", err, load.Class(err))
	}
}

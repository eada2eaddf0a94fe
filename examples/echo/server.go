package echo

import (
	"io"
	"net"
)

// Serve answers each connection with what it sends, until the listener is closed.
func Serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			io.Copy(conn, conn)
		}()
	}
}

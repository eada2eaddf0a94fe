// Package http1 is the client's end of one HTTP/1.1 connection: it writes requests that are ready as bytes, and reads
// responses to their end. It has no goroutine of its own, and a request allocates nothing.
//
//	c := http1.New(conn)                            // a connection that was dialled
//	err := c.Secure(ctx, config)                    // only for TLS
//	c.Begin(until)                                  // for each request, with its time limit
//	err = c.Send(&http1.Request{First: []byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n")})
//	err = c.Wait()                                  // the first byte of the response has come
//	response, err := c.Receive(limit)               // so has the last one
//	if !c.Settle() {                                // it cannot be used again
//		c.Close()
//	}
//
// # What is accepted
//
// Responses are read as http.ReadResponse reads them, and a fuzz test compares both: the same status, length of the body, end
// of the response, and the same responses are errors. There are three differences on purpose. A status with a sign is an error. A head may
// have at most 1 MiB, together with those of interim responses. What follows 101 (Switching Protocols) is not read.
//
// Interim responses (1xx, other than 101) are skipped. Bodies and trailers are discarded. After an error the connection cannot be
// used again, and no request is sent twice.
package http1

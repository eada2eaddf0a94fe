// Package httpclient is the HTTP client of targets under load: the connection of one user, without proxies and
// cookies, its time limits, and the classes of its errors.
//
//	c := &httpclient.Config{KeepAlive: true, Timeout: 10 * time.Second}
//	err := c.CheckTLS(ctx, allow, url)                  // before the run
//	user := c.Client(run, dialer)                       // for each worker
//	request = request.WithContext(user.Context())       // for each request
//	err = user.Send(request, read)                      // read reads the response to its end
//	if err != nil {
//		err = user.Explain(err)                     // with its class
//	}
//	user.Close()
//
// A Client sends by http.Transport without http.Client. net/http repeats a GET if the server closes a kept-alive
// connection before it answers. That hides an error, so such a request is counted as "reset" although it was answered.
//
// A Direct client sends requests of HTTP/1.1 that are ready as bytes, without net/http (package http1).
package httpclient

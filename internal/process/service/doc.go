// Package service starts a server that is to be measured, waits until it is ready, and stops
// it with all processes that it started. [OwnGroup], [Kill] and [Tail] do the latter for other processes of a run.
//
//	s, err := service.Start(ctx, service.Config{Words: []string{"./server", "-port", "{port}"}, Health: "/healthz"})
//	if err != nil {
//		return err // with what the server printed last
//	}
//	defer s.Stop()
//	target := "http://" + s.Address
package service

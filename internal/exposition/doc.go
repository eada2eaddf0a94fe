// Package exposition writes metrics in the formats that Prometheus scrapes: its text, OpenMetrics, and the protobuf messages of
// client_model, which alone have native histograms.
//
//	format := exposition.Negotiate(request.Header.Get("Accept"))
//	response.Header().Set("Content-Type", format.ContentType())
//	response.Write(format.Append(nil, families))
//
// It is written by hand: Prometheus's own client would add 3 MB to the program.
package exposition

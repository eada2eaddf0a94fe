// Package clienttls makes the TLS configuration of a client from files.
//
// # Recipe
//
//	files := clienttls.Files{CA: "ca.pem", ServerName: "shop.test"}
//	config, err := files.Config("127.0.0.1", "http.") // of property http.ca
package clienttls

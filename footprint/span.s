// This file lets span.go declare a function without a body.

package main

import "github.com/tarebench/tare/suites/published"

// digits are those that the published tables have.
const digits = published.Digits(3)

module example.org/loops

go 1.25

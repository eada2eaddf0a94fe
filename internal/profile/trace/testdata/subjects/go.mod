module example.org/subjects

go 1.24

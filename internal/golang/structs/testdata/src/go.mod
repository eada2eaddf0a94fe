module example.org/layouts

go 1.26

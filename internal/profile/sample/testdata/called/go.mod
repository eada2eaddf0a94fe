module called

go 1.24

module subjects

go 1.25

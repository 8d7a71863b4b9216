module nebula

go 1.26

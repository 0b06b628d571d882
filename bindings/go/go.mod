module libmtoken.example/bindings/go

go 1.19

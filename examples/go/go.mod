module qr

go 1.19

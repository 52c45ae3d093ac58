module example.org/planted

go 1.26.0

require example.com/suite v0.0.0

module example.org/tree

go 1.26.0

require example.com/suite v0.0.0

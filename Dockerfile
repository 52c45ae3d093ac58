# An image with suite, and with what suites of Go packages and of commands need: the Go
# toolchain, git for --against, and a shell. Mount the repository at /work:
#
#   docker build -t suite .
#   docker run --rm -v "$PWD:/work" -v suite-cache:/cache suite run bench/
#
# For suites of commands alone, --target small has neither Go nor git: 30 MB.
FROM golang:1.26-alpine AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.release=$VERSION" -o /suite ./cmd/suite

FROM alpine:3 AS small
COPY --from=build /suite /usr/local/bin/suite
ENV SUITE_CACHE=/cache
VOLUME /cache
WORKDIR /work
ENTRYPOINT ["suite"]

FROM golang:1.26-alpine
RUN apk add --no-cache git
COPY --from=build /suite /usr/local/bin/suite
# The work tree belongs to another user than the one in the container.
RUN git config --system --add safe.directory '*'
ENV SUITE_CACHE=/cache GOCACHE=/cache/go-build GOMODCACHE=/cache/mod
VOLUME /cache
WORKDIR /work
ENTRYPOINT ["suite"]

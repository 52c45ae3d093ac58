package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// No server listens on a free port.
func freePort() string {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// serves is a program: serves ADDRESS answers ping with pong, exits with status 3 after
// the word die, and with 0 after SIGTERM. It notes its start and stop in order.txt.
func serves() {
	l, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	note("started")
	fmt.Println("listening on", os.Args[1])
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	go func() {
		<-terminated
		note("stopped")
		os.Exit(0)
	}()
	for {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		switch line, _ := bufio.NewReader(c).ReadString('\n'); strings.TrimSpace(line) {
		case "ping":
			fmt.Fprintln(c, "pong")
		case "die":
			fmt.Println("told to die")
			fmt.Fprintln(c, "dying")
			os.Exit(3)
		}
		c.Close()
	}
}

// note appends a line to order.txt.
func note(line string) {
	f, err := os.OpenFile("order.txt", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintln(f, line)
}

// asks is a program: asks ADDRESS WORD sends a word to a server and prints the answer.
func asks() {
	answer, err := ask(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(answer)
}

func ask(address, word string) (string, error) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return "", err
	}
	defer c.Close()
	fmt.Fprintln(c, word)
	line, err := bufio.NewReader(c).ReadString('\n')
	return strings.TrimSpace(line), err
}

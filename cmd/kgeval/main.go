// Command kgeval checks, corrects and compares texts by the facts in them.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/kgeval/kgeval/cmd/kgeval/internal/cli"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

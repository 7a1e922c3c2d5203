// Package cli is the kgeval command: it reads files, flags and standard input,
// lets the library work, and writes what a person or a program reads. It holds
// no method of checking of its own.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kgeval/kgeval"
)

// The exit codes, the same for every command.
const (
	exitOK          = 0   // all consistent, or nothing to check
	exitBad         = 1   // something is inconsistent, or below --min
	exitUsage       = 2   // wrong usage, or a file that could not be read or written
	exitUnknown     = 3   // finished, but with rows that failed or could not be judged
	exitInterrupted = 130 // stopped by Ctrl-C or a signal; finished rows are kept
)

const exitHelp = `Exit codes:
  0    all consistent, or nothing to check
  1    something is inconsistent, or below --min
  2    wrong usage, or a file that could not be read or written
  3    finished, but some rows failed or could not be judged (1 wins over 3)
  130  interrupted; rows that were finished are kept`

// app is one run of the command.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// columns is the width of the terminal at stdout; 0 where it is none.
	columns int
	// progress says that stderr is a terminal.
	progress bool
	paint    palette
	parts    *parts
	code     int
	// stdinUsed names what has read standard input.
	stdinUsed string
}

// Main runs the command with the arguments after its name and returns the exit
// code. It stops as soon as ctx ends.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return run(ctx, newParts(kgeval.Offline), args, stdin, stdout, stderr)
}

func run(ctx context.Context, p *parts, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, parts: p}
	if f, ok := stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		a.columns = 80
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			a.columns = w
		}
	}
	if f, ok := stderr.(*os.File); ok {
		a.progress = term.IsTerminal(int(f.Fd()))
	}
	a.paint = newPalette(a.columns > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")

	root := a.root()
	for _, c := range append(root.Commands(), root) {
		c.Flags().SortFlags = false
	}
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return a.code
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		fmt.Fprintln(stderr, "kgeval: interrupted")
		return exitInterrupted
	}
	fmt.Fprintf(stderr, "kgeval: %s\n", oneLine(err.Error()))
	return exitUsage
}

// oneLine keeps an error on one line.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "kgeval",
		Short: "Is a model's text true to its sources, and how alike are two texts?",
		Long: `kgeval tells whether a text that a language model wrote is true to its sources:
which facts are not, where they stand, and what the text should have said; and
how alike two texts are in what they mean and relate. It works offline.

` + exitHelp,
		Example: `  kgeval check --context article.txt --output summary.txt
  kgeval correct --context article.txt --output summary.txt
  kgeval compare gold.txt answer.txt
  kgeval extract article.txt
  kgeval check --jsonl samples.jsonl --out verdicts.jsonl --jobs 4`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("there is no command %q; see kgeval help", args[0])
			}
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.Version = buildVersion()
	root.SetVersionTemplate("kgeval {{.Version}}\n")
	check, correct, compare, triage := a.checkCommand(), a.correctCommand(), a.compareCommand(), a.triageCommand()
	for _, cmd := range []*cobra.Command{check, correct, compare, triage} {
		a.parts.thresholds.register(cmd)
	}
	root.AddCommand(check, correct, compare, a.extractCommand(), a.runCommand(), a.diffCommand(), a.reportCommand(), triage,
		a.embedCommand(), a.nliCommand(), a.calibrateCommand(), a.kernelCommand(), a.modelCommand(), a.benchCommand(), a.versionCommand())
	return root
}

// noArgs refuses arguments and says how to give the input instead.
func noArgs(how string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return fmt.Errorf("%s takes no argument %q; %s", cmd.CommandPath(), args[0], how)
		}
		return nil
	}
}

// palette colours words for a terminal; without colour its functions return
// their argument.
type palette struct {
	good, bad, warn, dim, strong func(string) string
}

func newPalette(on bool) palette {
	make := func(attrs ...color.Attribute) func(string) string {
		c := color.New(attrs...)
		if on {
			c.EnableColor()
		} else {
			c.DisableColor()
		}
		return func(s string) string { return c.Sprint(s) }
	}
	return palette{
		good:   make(color.FgGreen),
		bad:    make(color.FgRed, color.Bold),
		warn:   make(color.FgYellow, color.Bold),
		dim:    make(color.Faint),
		strong: make(color.Bold),
	}
}

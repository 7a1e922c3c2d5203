package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of kgeval and of its parts",
		Args:  noArgs("it prints everything it knows"),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := a.parts.load()
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.stdout, "kgeval %s (%s, %s/%s)\nextractor %s\nembedder  %s\nnli       %s\n",
				buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH,
				p.Extractor.ID(), p.Embedder.ID(), p.NLI.ID())
			return err
		},
	}
}

// buildVersion returns the module's version, or the revision that a checkout
// was built from.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	v, revision, dirty := info.Main.Version, "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if v == "" || v == "(devel)" {
		v = "(devel)"
		if revision != "" {
			v += " " + revision + dirty
		}
	}
	return v
}

package cli

import (
	"crypto/sha256"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kgeval/kgeval/embed/builtin"
	"github.com/kgeval/kgeval/internal/bert"
	"github.com/kgeval/kgeval/internal/bert/kernel"
	nlibuiltin "github.com/kgeval/kgeval/nli/builtin"
	"github.com/kgeval/kgeval/weights"
)

// builtInModel is a model whose weights are inside the program.
type builtInModel struct {
	use   string
	id    string
	files []weightsFile
}

type weightsFile struct{ name, data string }

func builtInModels() []builtInModel {
	words := weightsFile{"words.kgw", weights.Words()}
	entailment := "unreadable"
	if m, err := nlibuiltin.New(nlibuiltin.Options{}); err == nil {
		entailment = m.ID()
	}
	return []builtInModel{
		{"embedder", builtin.New(builtin.Options{}).ID(), []weightsFile{words, {"embedder.kgw", weights.Embedder()}}},
		{"entailment", entailment, []weightsFile{words, {"entailment.kgw", weights.Entailment()}}},
	}
}

// modelRow and modelFile are what kgeval model info --json prints; docs/rows.md
// describes them.
type modelRow struct {
	Format     string            `json:"format"`
	Version    int               `json:"version"`
	Use        string            `json:"use"`
	ID         string            `json:"id"`
	Parameters int               `json:"parameters"`
	Kernel     string            `json:"kernel"`
	Files      []modelFile       `json:"files"`
	Meta       map[string]string `json:"meta"`
}

type modelFile struct {
	Name       string `json:"name"`
	Bytes      int    `json:"bytes"`
	SHA256     string `json:"sha256"`
	Parameters int    `json:"parameters"`
	Storage    string `json:"storage"`
}

func (m builtInModel) row(kernelName string) (modelRow, error) {
	row := modelRow{Format: "kgeval.model", Version: 1, Use: m.use, ID: m.id, Kernel: kernelName, Meta: map[string]string{}}
	for _, f := range m.files {
		h, err := bert.ReadHeader(strings.NewReader(f.data))
		if err != nil {
			return row, fmt.Errorf("%s: %w", f.name, plainError{err})
		}
		parameters, storage := parametersOf(h)
		row.Parameters += parameters
		row.Files = append(row.Files, modelFile{
			Name: f.name, Bytes: len(f.data), SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(f.data))),
			Parameters: parameters, Storage: storage,
		})
		for k, v := range h.Meta {
			row.Meta[k] = v
		}
	}
	return row, nil
}

// parametersOf counts the numbers of a weights file, and names the storage of
// the largest part of them.
func parametersOf(h bert.Header) (n int, storage string) {
	byType := map[string]int{}
	for _, t := range h.Tensors {
		if t.Type == "u8" { // text
			continue
		}
		size := 1
		for _, d := range t.Shape {
			size *= d
		}
		n += size
		byType[t.Type] += size
		if byType[t.Type] > byType[storage] {
			storage = t.Type
		}
	}
	return n, storage
}

var quantised = regexp.MustCompile(`^q(\d+)g(\d+)$`)

// inWords says what a storage type is.
func inWords(storage string) string {
	if m := quantised.FindStringSubmatch(storage); m != nil {
		return m[1] + " bits in groups of " + m[2]
	}
	return storage
}

// grouped writes a number with commas at the thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func (m modelRow) show(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n  %s parameters\n", m.Use, m.ID, grouped(m.Parameters))
	for _, key := range []string{"source", "package", "licence"} {
		if v := m.Meta[key]; v != "" {
			fmt.Fprintf(&b, "  %s %s\n", key, v)
		}
	}
	for _, f := range m.Files {
		fmt.Fprintf(&b, "  %s: %s bytes, %s parameters, most in %s\n    SHA-256 %s\n",
			f.Name, grouped(f.Bytes), grouped(f.Parameters), inWords(f.Storage), f.SHA256)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (a *app) modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "The models inside the program, and the files of your own",
		Args:  noArgs("see kgeval model info"),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var asJSON bool
	info := &cobra.Command{
		Use:   "info",
		Short: "Print identity, size, sums, storage and licence of each built-in model",
		Long: `Info prints what is known of each model inside the program, and the kernels
that run them on this processor (the variable KGEVAL_ISA chooses others: avx512,
avx2, neon, scalar). docs/models holds a card for each.`,
		Args: noArgs("it prints all models"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			k, err := kernel.Best()
			if err != nil {
				return plainError{err}
			}
			for _, m := range builtInModels() {
				row, err := m.row(k.Name())
				if err != nil {
					return err
				}
				if asJSON {
					_, err = fmt.Fprintf(a.stdout, "%s\n", encode(row))
				} else {
					err = row.show(a.stdout)
				}
				if err != nil {
					return err
				}
			}
			if asJSON {
				return nil
			}
			_, err = fmt.Fprintf(a.stdout, "kernels  %s\n", k.Name())
			return err
		},
	}
	info.Flags().BoolVar(&asJSON, "json", false, "print one JSON row for each model")
	cmd.AddCommand(info, a.modelManifestCommand(), a.modelCheckCommand())
	return cmd
}

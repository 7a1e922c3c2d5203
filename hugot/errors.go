package hugot

import "errors"

// Why a folder is refused, or a call fails; test with errors.Is. Each error's text
// names the file or the setting, and what to do.
var (
	// ErrFolder: a file that is needed is not there, or is not the only one of its
	// kind.
	ErrFolder = errors.New("hugot: the model's folder lacks something")
	// ErrConfig: a file of settings can't be read, or says what can't be.
	ErrConfig = errors.New("hugot: the model's settings can't be used")
	// ErrGraph: the ONNX file is damaged, or holds what the backend can't run.
	ErrGraph = errors.New("hugot: the ONNX file can't be run")
	// ErrInputs: the graph wants inputs that are not known here.
	ErrInputs = errors.New("hugot: the ONNX file has other inputs")
	// ErrShape: the graph was exported without dynamic axes.
	ErrShape = errors.New("hugot: the ONNX file has fixed axes")
	// ErrOutput: the graph gives nothing that can be read as what is asked of it.
	ErrOutput = errors.New("hugot: the ONNX file has other outputs")
	// ErrTokenizer: the tokenizer is of a kind that this backend would read wrong.
	ErrTokenizer = errors.New("hugot: the tokenizer can't be used")
	// ErrPooling: it is not known how sentences get their vector.
	ErrPooling = errors.New("hugot: unknown pooling")
	// ErrLabels: it is not known what the classes of the model mean.
	ErrLabels = errors.New("hugot: unknown labels")
	// ErrBackend: the backend is not in this build, or did not start.
	ErrBackend = errors.New("hugot: the backend is not there")
	// ErrUnreadable: nothing in a text is in the model's vocabulary.
	ErrUnreadable = errors.New("hugot: nothing in the text is in the model's vocabulary")
	// ErrClosed: the model was closed.
	ErrClosed = errors.New("hugot: the model is closed")
)

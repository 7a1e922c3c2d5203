// Package browser looks at the reports in a real browser: Chromium, driven by
// chromedp. It holds tests only, and is a module of its own, so that chromedp
// burdens nobody.
//
//	KGEVAL_CHROMIUM=$(command -v chromium) go test ./cmd/kgeval/internal/browser
//
// With KGEVAL_SCREENSHOTS=DIR the pictures that it takes are left in a folder, to
// be looked at by eye.
package browser

// Package e2e opens reports in a real browser. It is a module of its own, so that
// nobody who builds suite has to load what drives browsers.
package e2e

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// browsers are the names under which Chromium is installed, Debian's first.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// browser gives a context in which one browser runs for the whole test.
func browser(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range browsers {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("no browser: install Debian's package chromium, and the report is opened in it")
	}
	// A sandbox needs rights that containers do not have; the pages are our own.
	flags := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1280, 900))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), flags...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	do(t, ctx)                                          // starts it; a limit of time on that would be one on the browser
	ctx, stop = context.WithTimeout(ctx, 8*time.Minute) // it takes half a minute on two idle CPUs
	t.Cleanup(stop)
	return ctx
}

// do does things in the browser and ends the test where one of them fails.
func do(t *testing.T, ctx context.Context, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// ask evaluates an expression on the page, and waits for it where it is a promise.
func ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	answer, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// command sends one of the protocol's own.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, c, params)
		return err
	})
}

// scheme chooses light or dark.
func scheme(name string) chromedp.Action[chromedp.Void] {
	return command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// complaints gathers what the console of a page says.
type complaints struct {
	mu    sync.Mutex
	texts []string
}

func listen(t *testing.T, ctx context.Context) *complaints {
	t.Helper()
	c := &complaints{}
	if err := chromedp.Listen(ctx, c.hear); err != nil {
		t.Fatal(err)
	}
	return c
}

func (c *complaints) hear(event any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		c.texts = append(c.texts, e.Entry.Text)
	case *runtime.EventExceptionThrown:
		c.texts = append(c.texts, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		c.texts = append(c.texts, "console."+string(e.Type))
	}
}

func (c *complaints) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.texts
}

// serve offers a page under a content policy.
func serve(t *testing.T, page []byte, policy string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

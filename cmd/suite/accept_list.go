package main

import (
	"context"

	"example.com/suite/internal/accepted"
)

// listAccepted prints the entries for suite files and the state of each.
func (e env) listAccepted(ctx context.Context, args []string, o *acceptOptions) error {
	plans, err := e.plans(ctx, args, loading{})
	if err != nil {
		return err
	}
	today := e.today()
	files, err := acceptFiles(plans, o.file, today)
	if err != nil {
		return err
	}
	return accepted.WriteList(e.words(), files, today, suitesIn)
}

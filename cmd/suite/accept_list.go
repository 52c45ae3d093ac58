package main

import (
	"context"

	"example.com/suite/internal/accepted"
)

// listAccepted prints the entries for suite files and the state of each.
func (cmd *acceptCommand) printList(ctx context.Context, args []string) error {
	plans, err := loadPlans(ctx, cmd.env, args, loading{})
	if err != nil {
		return err
	}
	today := cmd.env.today()
	files, err := acceptFiles(plans, cmd.file, today)
	if err != nil {
		return err
	}
	return cmd.env.printPage(accepted.List(files, today, suitesIn))
}

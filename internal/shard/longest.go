package shard

import (
	"fmt"
	"slices"
	"time"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/units"
	"example.com/suite/result"
	"example.com/suite/runner/forecast"
	"example.com/suite/spec"
)

// Longest is the longest time for which any of n shards may be measured. divide divides the plans
// among so many shards. It fails if the plans cannot be divided among n.
func Longest(
	plans []*spec.Plan, n int, divide func(shards int) (*result.Division, error),
) (most time.Duration, err error) {
	cases := 0
	for _, plan := range plans {
		cases += len(plan.Cases)
	}
	parts, err := divided(plans, cases, divide)
	if err != nil {
		return 0, err
	}
	if len(parts) < n {
		return 0, diag.Hinted(fmt.Sprintf("%s cannot be divided among %d machines, only among %d",
			units.Plural(cases, "case"), n, len(parts)),
			fmt.Sprintf("-n %d; cases that are compared with each other stay together", len(parts)))
	}
	parts, err = divided(plans, n, divide)
	for _, part := range parts {
		sum := time.Duration(0)
		for _, plan := range part {
			_, longest := forecast.Expected(plan)
			sum += longest
		}
		most = max(most, sum)
	}
	return most, err
}

// divided returns the plans of each of n shards that has cases.
func divided(
	plans []*spec.Plan, n int, divide func(shards int) (*result.Division, error),
) (parts [][]*spec.Plan, err error) {
	division, err := divide(n)
	if err != nil {
		return nil, err
	}
	for i := range n {
		if slices.ContainsFunc(division.Cases, func(p result.Portion) bool { return p.Shard == i+1 }) {
			parts = append(parts, Take(plans, division, i+1))
		}
	}
	return parts, nil
}

package profile

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"time"

	"example.com/suite/internal/profiles"
	"example.com/suite/result"
	"example.com/suite/runner/host/wire"
)

// short is a hash of a text in eight digits.
func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// function profiles one launch of a registered function.
func (t *taking) function(ctx context.Context, base bool) *result.Failure {
	side := t.again.Side(base)
	t.program[sideIndex(base)] = side.Program()
	timeout := time.Duration(t.Case.Settings.Timeout)
	env := []string{fmt.Sprintf("GOMAXPROCS=%d", runtime.GOMAXPROCS(0)), t.padding(base)}
	host, failure := side.Launch(ctx, env)
	if failure != nil {
		return failure
	}
	defer host.Quit()
	request := side.Request()
	request.Function.Counters = nil
	if t.Result.Thread != "" {
		request.Function.Thread = t.Result.Thread
	}
	response, failure := host.Call(ctx, request, timeout)
	if failure != nil {
		return failure
	}
	ask := &wire.Request{Op: "profile", ID: response.Prepared.ID, N: int(max(t.Result.Iterations, 1)),
		Goal:  int64(t.options.Pass),
		Limit: int64(min(t.left(), timeout/2)), Rate: usualRate}
	for _, kind := range t.options.Kinds {
		ask.Profiles = append(ask.Profiles, string(kind))
	}
	response, failure = host.Call(ctx, ask, timeout)
	if failure != nil {
		return failure
	}
	return t.add(base, response.Profiled)
}

// padding moves the memory of a launch, as in the launches that samples came from.
func (t *taking) padding(base bool) string {
	identity := fmt.Sprintf("%q %q", t.Result.Suite, t.Result.Name)
	return wire.Padding(t.seed().Draw("padding of a profile", identity, t.done[0],
		sideIndex(base)).IntN(wire.MostPadding))
}

// add keeps the profiles of one launch.
func (t *taking) add(base bool, p *wire.Profiled) *result.Failure {
	for i := range p.Profiles {
		one := &p.Profiles[i]
		parsed, err := profiles.Read(one.Data, one.Before)
		if err != nil {
			return &result.Failure{Phase: result.PhaseRun, Cause: result.FailedProtocol, Message: err.Error()}
		}
		t.keep(base, result.ProfileKind(one.Kind), profiles.Launch{Profile: parsed, Iterations: one.Iterations,
			Wall: float64(one.Elapsed) * 1e-9, CPU: max(float64(one.CPU), 0) * 1e-9})
	}
	return nil
}

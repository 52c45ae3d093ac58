package result

import "slices"

var (
	profileKinds   = []ProfileKind{ProfileCPU, ProfileAlloc, ProfileMutex, ProfileBlock}
	profileReasons = []ProfileReason{"", ProfileTooMany, ProfileCounted, ProfileInterrupted, ProfileNoTime,
		ProfileFailed, ProfileNoTool,
		ProfileForbidden, ProfileNotMeasured}
	profileUnits   = []string{"s", "B"}
	profileMethods = []string{"", ProfileMethod}
)

// profileValidator checks the profiles of a case.
type profileValidator struct{ *checklist }

// profiling checks what profiles of a case show.
func (v profileValidator) profiling(p *Profiling) {
	if p == nil {
		return
	}
	v.check(slices.Contains(profileReasons, p.Reason), "profiling: unknown reason %q", p.Reason)
	v.check(slices.Contains(profileMethods, p.Method), "profiling: unknown method %q", p.Method)
	v.check(isTime(p.Seconds), "profiling: seconds are out of range")
	var seen []ProfileKind
	for i := range p.Profiles {
		one := &p.Profiles[i]
		v.check(slices.Contains(profileKinds, one.Kind), "profiling: unknown kind %q", one.Kind)
		v.check(!slices.Contains(seen, one.Kind), "profiling: kind %q is there twice", one.Kind)
		seen = append(seen, one.Kind)
		v.profile(one)
	}
	for i := range p.Causes {
		c := &p.Causes[i]
		v.check(c.Function != "" && slices.Contains(profileKinds, c.Kind) && slices.Contains(profileUnits, c.Unit),
			"profiling: a cause has no function, kind or unit")
		v.check(c.Change.Grew(), "profiling: cause %q is not shown to cost more", c.Function)
		v.estimated(&c.Change)
		v.estimated(&c.Share)
	}
}

func (v profileValidator) profile(p *Profile) {
	outer := v.where
	defer func() { v.where = outer }()
	v.where += "profile " + string(p.Kind) + ": "
	v.check(slices.Contains(profileUnits, p.Unit), "unknown unit %q", p.Unit)
	v.check(p.Confidence >= 0 && p.Confidence <= 1 && p.Compared >= 0 && p.Left >= 0,
		"confidence, compared or left are out of range")
	v.profileSide(&p.Here)
	if p.Base != nil {
		v.profileSide(p.Base)
	}
	v.estimated(p.Change)
	for i := range p.Functions {
		f := &p.Functions[i]
		v.check(f.Name != "" && f.Line >= 0, "a function has no name, or a negative line")
		v.estimated(f.Change)
	}
	for i := range p.Stacks {
		s := &p.Stacks[i]
		v.check(s.Name != "" && s.Parent >= -1 && s.Parent < i,
			"call %d has no name, or does not come after its caller", i)
	}
}

func (v profileValidator) profileSide(s *ProfileSide) {
	v.check(s.Launches >= 0 && s.Iterations >= 0 && s.Samples >= 0 && s.Rate >= 0 && s.Wall >= 0,
		"launches, iterations, samples, rate or wall are negative")
}

// estimated checks that an interval has both ends, around its value.
func (v profileValidator) estimated(e *Estimated) {
	if e == nil {
		return
	}
	v.check((e.Low == nil) == (e.High == nil), "an interval of a profile has only one end")
	v.check(e.Low == nil || *e.Low <= e.Value && e.Value <= *e.High,
		"a difference of profiles is outside of its interval")
}

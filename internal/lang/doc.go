package lang

// The parts of this package, for those who build on it:
//
// Quantities (quantity.go). All give SI base units: seconds, bytes, shares.
//
//	ParseDuration(s string) (seconds float64, err error)  // 100ms 1.5s 1m30s 0
//	ParseSize(s string) (bytes float64, err error)        // 64KiB 200MB 512B 4096
//	ParsePercent(s string) (share float64, err error)     // 3% 0.03
//	ParseNumber(s string) (x float64, err error)          // 42 1.5 1e6 1_000 0x10
//	ParseQuantity(s string) (x float64, ok bool)          // any of them
//	ParameterValue(text, yamlTag string) Value            // keeps the spelling
//
// Places (text.go). A Text knows where each of its characters stood.
//
//	(Text).At(offset int) diag.Place
//	(Text).Problem(offset int, message, hint string) diag.Problem  // with source line and caret
//
// Expressions (compile.go, program.go). Offsets count characters of Text.Value.
//
//	type Options struct {
//		Bool     bool     // the result must be true or false
//		Builtins []string // functions of expr-lang that are allowed; nil: DefaultBuiltins
//	}
//	Compile(text Text, env any, o Options) (*Program, error)  // error is a diag.Problem
//	(*Program).Text Text                      // as given
//	(*Program).Node() ast.Node                // the tree as written: literals, duration("…") and
//	                                          // size("…") are FloatNodes in SI units, integers too
//	(*Program).Span(ast.Node) (from, to int)  // where a node stands in Text.Value
//	(*Program).Source(ast.Node) string        // the text of a node, as written
//	(*Program).Run(env any) (any, error)      // error is a diag.Problem; never NaN or infinite
//	Constant(ast.Node) (x float64, ok bool)   // the value of a literal or of arithmetic on literals
//	Identifiers(text Text) []Identifier       // names that it speaks of, known or not
//
// env is a struct whose exported fields (tag `expr:"name"`) and methods are
// the names of the language; numbers in it are float64. A float that is NaN or
// infinite is an error when it is read, so absence can be NaN, or a method
// that returns an error.
//
// Templates (template.go).
//
//	ParseTemplate(text Text, n Names) (*Template, error)  // error is a diag.Problem
//	(*Template).Expand(Scope) (Text, error)
//	(*Template).Number(Scope) (float64, error)
//	(*Template).Uses() []string               // names that it speaks of
//	(*Template).Literal() bool                // it has no expression

package result

// ReadAtMost is Read with a limit that a test can reach.
var ReadAtMost = read

// IsVocabulary says that Mask leaves a field of a struct alone.
var IsVocabulary = isVocabulary

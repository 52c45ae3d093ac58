package gate

// functions are the functions of expressions, each with a file of its own. A new one is a row here.
var functions = []*function{&worse, &better, &ofBase, &ci, &ofMeans, &ofGrowth, &ofHistory, &ofPegs}

// compiling is the table as expressions are compiled with it.
var compiling = func() (rows Functions) {
	for _, f := range functions {
		rows = append(rows, &f.Function)
	}
	return rows
}()

"""SUITE_PEGS=pegs python3 example.py"""

import pegs


def depth(tree):
    with pegs.span("depth"):
        return 1 + max(map(depth, tree), default=0)


total = 0
for i in range(100):
    pegs.start("begin")
    text = " ".join(str(n) for n in range(100))
    pegs.hit("written")  # begin -> written
    total += sum(map(int, text.split()))
    pegs.hit("summed")  # written -> summed
    pegs.stop("done", after="begin")  # begin -> done, with both
print(total, depth([[[]], []]))

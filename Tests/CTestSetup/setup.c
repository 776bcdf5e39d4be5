#include <stdlib.h>

// Swift Testing starts every test of the process at once: on a few cores each of a thousand then waits for all the others,
// and limits of time run out of nothing but that. The variable is read when the run begins; one that is set already stays.
__attribute__((constructor)) static void bound_parallel_tests(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "16", 0);
}

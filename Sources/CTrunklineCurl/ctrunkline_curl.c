#include "ctrunkline_curl.h"

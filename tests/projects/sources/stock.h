// A shared library with one function that is wrong.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void stock_fill(int items);
int stock_take(void);  // an item, if there is one
int stock_left(void);

#ifdef __cplusplus
}
#endif

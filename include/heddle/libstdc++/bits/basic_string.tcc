// Comes before libstdc++'s file of this name: std::string's functions are compiled with the program
// in place of being called in the library, where nobody has instrumented them.
#pragma GCC system_header
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE -1  // as libstdc++'s debug mode has it
#include_next <bits/basic_string.tcc>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")

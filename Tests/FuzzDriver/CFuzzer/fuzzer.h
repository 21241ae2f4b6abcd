// libFuzzer's entry for programs that bring their own main (LLVM, FuzzerInterface.h).
int LLVMFuzzerRunDriver(int *count, char ***words,
                        int (*input)(const unsigned char *start, unsigned long count));

/**
 * How the server's process keeps its memory small (an idle server stays below 300 MB of RSS). Reading PDFs allocates and frees large pieces in
 * several threads; glibc would keep a heap per thread and give little of it back, and V8's young generation grows to 32 MB a thread.
 * Measured after the demonstration was loaded: 410 MB without, 262 MB with these.
 */
export const memoryFlags = ['--max-semi-space-size=4'];
export const memoryEnvironment = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072' };

/*
 * Loaded before every command, and before each program of the portal that one runs: it ends without a word when nobody reads what it writes any more, as
 * in `pergamin report delivery | head`.
 */

/** Of a program that a closed pipe ended, as shells have it: 128 and the number of SIGPIPE. */
const endedByClosedPipe = 141;

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(endedByClosedPipe);
    throw error;
  });

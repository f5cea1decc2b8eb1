/** The words of the command do not fit; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The portal could not be reached, or it refused; exit code 1. The message has the code and the fields. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** The words of the command do not fit; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The portal could not be reached, or it refused; exit code 1. The message has the code and the fields. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** Of the portal's answer; undefined when there was none. */
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

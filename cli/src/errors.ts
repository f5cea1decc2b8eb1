import type { ErrorBody } from '@pergamin/contract';

/** The words of the command do not fit, or a file that they name; exit code 2, where nothing else is said. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode: number;

  constructor(message: string, { exitCode = 2, ...options }: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

interface Refusal {
  readonly exitCode?: number;
  readonly status?: number;
  readonly answer?: ErrorBody;
  readonly retryAfterSeconds?: number | undefined;
  readonly isLasting?: boolean | undefined;
}

/** The portal could not be reached, or it refused; exit code 1, where nothing else is said. The message has the code and the fields. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  /** Of the portal's answer; undefined when there was none. */
  readonly status: number | undefined;
  /** What the portal answered, when it was an error of its catalogue. */
  readonly answer: ErrorBody | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly exitCode: number;
  /** Whether it stays so until somebody puts it right, as a certificate that has expired. */
  readonly isLasting: boolean;

  constructor(message: string, options: ErrorOptions & Refusal = {}) {
    super(message, options);
    this.status = options.status;
    this.answer = options.answer;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.exitCode = options.exitCode ?? 1;
    this.isLasting = options.isLasting ?? false;
  }
}

/** The system refuses: no room, no right, a broken disk, a drive that is gone. */
export const isOfSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

import { errorCodes, errorMessages, type ErrorCode } from '@pergamin/contract';

interface Details {
  /** Sent to the caller instead of the code's own message; never a stack, SQL or path. */
  message?: string;
  /** Which field is wrong, and how, in words. */
  fields?: Record<string, string>;
  /** Answered as Retry-After; CALL_NOT_PERMITTED as 429 then. */
  retryAfterSeconds?: number;
  /** For the log only. */
  cause?: unknown;
}

/** The one error of the product: a code of the contract, turned into HTTP in one place (http/error-answer.ts). */
export class PortalError extends Error {
  override readonly name = 'PortalError';
  readonly code: ErrorCode;
  readonly fields: Record<string, string> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? errorMessages[code], { cause: details.cause });
    this.code = code;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  get status(): number {
    return this.code === 'CALL_NOT_PERMITTED' && this.retryAfterSeconds !== undefined ? 429 : errorCodes[this.code].status;
  }
}

/** Shorthand for the most frequent error: names one field and its problem. */
export const invalidField = (field: string, problem: string): PortalError =>
  new PortalError('VALIDATION_ERROR', { fields: { [field]: problem } });

import { CallError } from '#platform/api.ts';

const passing = [0, 401, 403, 408, 429];

/** Whether another try may go better: not where the file itself was refused. */
export const mayRetry = (error: unknown): boolean =>
  !(error instanceof CallError) || (error.code !== 'DOCUMENT_UPLOAD_ERROR' && (passing.includes(error.status) || error.status >= 500));

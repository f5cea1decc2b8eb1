import { PortalError } from '#platform/http/errors.ts';

/** The SQLSTATE of a statement that the database cancelled. */
const queryCanceled = '57014';

const isCanceled = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === queryCanceled;

/** A retry is faster: what the cancelled statement read is cached. */
const retryAfterSeconds = 30;

/** Throws CALL_NOT_PERMITTED (429) for a search that exceeds the database's statement timeout, and what the search throws. */
export const withTimeLimit = async <Answer>(search: Promise<Answer>): Promise<Answer> => {
  try {
    return await search;
  } catch (error) {
    if (!isCanceled(error)) throw error;
    throw new PortalError('CALL_NOT_PERMITTED', { message: 'The search takes too long', retryAfterSeconds, cause: error });
  }
};

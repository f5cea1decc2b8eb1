import { PortalError } from '#platform/http/errors.ts';

/** What a database says of a statement that it broke off. */
const brokenOff = '57014';

const isBrokenOff = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === brokenOff;

/** A look at very many documents is broken off after some seconds; what was read until then is in memory when it is asked again. */
const retryAfterSeconds = 30;

/** Throws CALL_NOT_PERMITTED (429) for a search that took the database too long, and what the search throws. */
export const inTime = async <Answer>(search: Promise<Answer>): Promise<Answer> => {
  try {
    return await search;
  } catch (error) {
    if (!isBrokenOff(error)) throw error;
    throw new PortalError('CALL_NOT_PERMITTED', { message: 'The search takes too long', retryAfterSeconds, cause: error });
  }
};

import { PortalError } from '#platform/http/errors.ts';

/** What the store or its disk refuses is STORAGE_ERROR, with the reason for the log. */
export const orStorageError = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  try {
    return await act();
  } catch (error) {
    if (error instanceof PortalError) throw error;
    throw new PortalError('STORAGE_ERROR', { cause: error });
  }
};

import { MutationCache, QueryClient } from '@tanstack/react-query';
import { CallError } from '#platform/api.ts';
import { alertError } from '#platform/errors.ts';

const mostRetries = 2;
const longestDelayMs = 5_000;

/** The cache of one signed-in customer; it ends with the workspace. Keys begin with the name of the call. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // Looking at the window again is no action of the customer's and must not keep a session alive.
        refetchOnWindowFocus: false,
        // Without a line the question is asked until it is answered: `LineNotice` says so meanwhile.
        retry: (failures, error) => hasNoLine(error) || (failures < mostRetries && isPassing(error)),
        retryDelay: (failures) => Math.min(1_000 * 2 ** failures, longestDelayMs),
      },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.options.onError === undefined) alertError(error);
      },
    }),
  });

/** No answer came at all. */
export const hasNoLine = (error: unknown): boolean => error instanceof CallError && error.status === 0;

/** Failures of the way there, not of the question: worth another try. */
const isPassing = (error: unknown): boolean => error instanceof CallError && (error.status === 502 || error.status === 504);

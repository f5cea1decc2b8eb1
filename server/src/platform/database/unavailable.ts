import { DatabaseError } from 'pg';
import { DatabaseSilentError } from './deadline.ts';

/**
 * Of SQLSTATE: broken connections (08), exhausted resources (53), a server that stops, starts or recovers (57P01 to 57P05), one that
 * takes no writes (25006: a standby), timeouts (57014), and conflicts that may be retried (40001, 40P01, 55P03).
 */
const passing = /^(?:08|53|57P0|57014|25006|40001|40P01|55P03)/;

const ofConnecting = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
const callsOfConnecting = new Set(['connect', 'read', 'write', 'getaddrinfo']);

/** Of pg and its pool, which give these errors no code. */
const sentences = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'Postgres connection has been discarded',
  'timeout exceeded when trying to connect',
  'timeout expired',
]);

/** All connections of the pool are busy, or the portal has closed it: the server may be well. */
const sentencesOfUs = new Set([
  'Cannot use a pool after calling end on the pool',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
]);

const isOfConnecting = (error: Error): boolean => {
  // Of a name with several addresses: one error for each.
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every((one) => one instanceof Error && isOfConnecting(one));
  if (!('code' in error) || !('syscall' in error) || !ofConnecting.has(String(error.code))) return false;
  return error.code === 'ENOENT' ? error.syscall === 'connect' : callsOfConnecting.has(String(error.syscall));
};

/** Of SQLSTATE: broken connections, too many of them, a server that stops, starts or recovers. Not what one statement alone may meet. */
const ofServer = /^(?:08|53300|57P0)/;

/** Whether an error, of whatever origin, says that the server of the database is away: only this library writes so. */
export const isServerAway = (error: unknown): boolean => {
  if (error instanceof DatabaseError) return ofServer.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  return error instanceof DatabaseSilentError || (sentences.has(error.message) && !sentencesOfUs.has(error.message));
};

/** Whether an error is a consequence while the server is away: callers wait for connections that do not come. */
export const isOfServerAway = (error: unknown): boolean => isServerAway(error) || (error instanceof Error && sentences.has(error.message));

/** Whether the database cannot be used at the moment, and the same may succeed in a while. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (error instanceof DatabaseError) return passing.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  return error instanceof DatabaseSilentError || sentences.has(error.message) || isOfConnecting(error);
};

import * as z from 'zod/mini';
import { publisherCall } from './call.ts';
import { epochMs, keptText, personalId } from './values.ts';

/** CLOSED: the contract has ended; the client reads, and neither sends nor accepts terms (T4, C3). DISABLED: the client cannot sign in. */
export const clientState = z.enum(['ACTIVE', 'CLOSED', 'DISABLED']);
export type ClientState = z.output<typeof clientState>;

/** By a personal id, or by a customer number that one client alone has. */
const named = { params: z.object({ client: personalId }), query: z.object({ by: z.optional(z.enum(['personalId', 'cif'])) }) };

const keptClient = z.object({ personalId: z.string(), cif: z.string(), state: clientState });

/**
 * ACTIVE becomes CLOSED or DISABLED, CLOSED becomes DISABLED, both become ACTIVE again; the state that it has already is no change. Throws
 * RESOURCE_NOT_FOUND for an unknown client, VALIDATION_ERROR (`client`) when it may be several, INVALID_STATUS for any other change.
 */
export const changeClientState = publisherCall({
  name: 'changeClientState',
  method: 'POST',
  path: '/api/publisher/clients/:client/status',
  summary: 'Disables, closes or reopens the account of a client; a disabled one is signed out everywhere at once',
  scope: 'clients:write',
  ...named,
  body: z.strictObject({ state: clientState, reason: keptText(500) }),
  /** `changed`: false when it was so before, and the history has nothing new. */
  answer: z.extend(keptClient, { changed: z.boolean() }),
});

export const clientChange = z.object({
  at: epochMs,
  before: clientState,
  after: clientState,
  keyId: z.string(),
  keyName: z.string(),
  reason: z.string(),
});
export type ClientChange = z.output<typeof clientChange>;

/** Throws as `changeClientState` for a client that is not found. */
export const getClientHistory = publisherCall({
  name: 'getClientHistory',
  method: 'GET',
  path: '/api/publisher/clients/:client/history',
  summary: 'The state of a client, and every change of it with who and why, the oldest first',
  scope: 'clients:write',
  ...named,
  answer: z.object({ client: keptClient, items: z.array(clientChange) }),
});

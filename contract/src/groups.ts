import * as z from 'zod/mini';
import { publisherCall } from './call.ts';
import { publishingLimits } from './limits.ts';
import { cif, composed, patternedText } from './values.ts';

/** As in a client's record, whose `groups` name them. */
export const groupId = patternedText(/^[^\p{Cc}\p{Cs}]+$/u, { maxLength: 64 }).check(composed());

export const listGroups = publisherCall({
  name: 'listGroups',
  method: 'GET',
  path: '/api/publisher/groups',
  summary: 'The groups that have or had members, with how many they have',
  scope: 'clients:write',
  answer: z.object({ items: z.array(z.object({ id: z.string(), members: z.int() })) }),
});

/** Throws RESOURCE_NOT_FOUND for a group that never had a member. */
export const listMembers = publisherCall({
  name: 'listMembers',
  method: 'GET',
  path: '/api/publisher/groups/:id/members',
  summary: 'The customer numbers that are in a group now, in order, after one of them',
  scope: 'clients:write',
  params: z.object({ id: groupId }),
  query: z.object({ after: z.optional(cif) }),
  /** `more`: ask again with the last one as `after`. */
  answer: z.object({ items: z.array(z.string()), more: z.boolean() }),
});

/**
 * Of each named group these are the members from now on; groups that are not named stay. All or nothing. Throws VALIDATION_ERROR naming each
 * customer number that no client has (`items.0.members.5`), and a group that is given twice.
 */
export const setMembers = publisherCall({
  name: 'setMembers',
  method: 'PUT',
  path: '/api/publisher/groups',
  load: 'heavy',
  summary: 'Sets who is in these groups; a customer number that leaves keeps what the group was sent before',
  scope: 'clients:write',
  body: z.strictObject({
    items: z
      .array(z.strictObject({ id: groupId, members: z.array(cif).check(z.maxLength(publishingLimits.maxMembersPerGroup)) }))
      .check(z.minLength(1), z.maxLength(publishingLimits.maxGroupsPerCall)),
    /** Says what would change, and changes nothing. */
    dryRun: z.optional(z.boolean()),
  }),
  answer: z.object({ items: z.array(z.object({ id: z.string(), joined: z.array(z.string()), left: z.array(z.string()) })) }),
});

import type { AnswerOf, BodyOf, calls } from '@pergamin/contract';
import {
  changeMembers,
  compareMembers,
  hasGroup,
  listGroups,
  listMembers,
  type MembershipChange,
} from '#features/deliveries/deliveries.door.ts';
import { recordChanges } from '#platform/configuration/configuration-changes.ts';
import type { Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { invalidField, PortalError } from '#platform/http/errors.ts';
import { findUnknownCifs } from './accounts.store.ts';
import { lockClients } from './client-records.store.ts';
import type { AccountsParts } from './parts.ts';

export type Groups = ReturnType<typeof createGroups>;

const membersPerAnswer = 10_000;
/** Fields of one refusal. */
const maxNamed = 100;

type Items = BodyOf<typeof calls.setMembers>['items'];

/** Of each group who left and who joined: groups are too long to be kept whole with every change. */
export const recordMemberships = (trx: Trx, changes: readonly MembershipChange[], key: PublisherCaller): Promise<void> =>
  recordChanges(trx, 'group', {
    key,
    changes: changes.map(({ id, joined, left }) => ({ subject: id, before: { left }, after: { joined } })),
  });

const assertEachOnce = (items: Items): void => {
  const ids = items.map(({ id }) => id);
  const twice = ids.findIndex((id, place) => ids.indexOf(id) < place);
  if (twice >= 0) throw invalidField(`items.${twice}.id`, 'given twice');
};

const assertKnown = async (trx: Trx, items: Items): Promise<void> => {
  const unknown = new Set(await findUnknownCifs(trx, [...new Set(items.flatMap(({ members }) => members))]));
  if (unknown.size === 0) return;
  const fields = items.flatMap(({ members }, index) =>
    members.flatMap((cif, place) => (unknown.has(cif) ? [[`items.${index}.members.${place}`, 'unknown customer number'] as const] : [])),
  );
  throw new PortalError('VALIDATION_ERROR', { fields: Object.fromEntries(fields.slice(0, maxNamed)) });
};

/** Which customer numbers are in which group, set a group at a time; clients' records set the same a client at a time. */
export const createGroups = ({ db, clock }: Pick<AccountsParts, 'db' | 'clock'>) => ({
  listGroups: async (): Promise<AnswerOf<typeof calls.listGroups>> => ({ items: await listGroups(db) }),

  async listMembers(id: string, after = ''): Promise<AnswerOf<typeof calls.listMembers>> {
    const found = await listMembers(db, { id, after, limit: membersPerAnswer + 1 });
    if (found.length === 0 && !(await hasGroup(db, id))) throw new PortalError('RESOURCE_NOT_FOUND');
    return { items: found.slice(0, membersPerAnswer), more: found.length > membersPerAnswer };
  },

  /** Throws CALL_NOT_PERMITTED for a key of the demonstration. */
  async setMembers(
    { items, dryRun: isDry = false }: BodyOf<typeof calls.setMembers>,
    key: PublisherCaller,
  ): Promise<AnswerOf<typeof calls.setMembers>> {
    if (key.demo) throw new PortalError('CALL_NOT_PERMITTED');
    assertEachOnce(items);
    return db.transaction().execute(async (trx) => {
      await lockClients(trx);
      await assertKnown(trx, items);
      const changes = await compareMembers(trx, items);
      if (!isDry && changes.length > 0) {
        await changeMembers(trx, changes, clock.now());
        await recordMemberships(trx, changes, key);
      }
      return { items: changes.map(({ id, joined, left }) => ({ id, joined: [...joined], left: [...left] })) };
    });
  },
});

import type { DocumentState } from '@pergamin/contract';
import { type NotNull, sql } from 'kysely';
import type { Db, Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';

export interface Author {
  readonly key: Pick<PublisherCaller, 'keyId' | 'name'>;
  readonly reason?: string | undefined;
}

/** Who changes documents in this transaction, and why: a trigger writes it into the history of each change. */
export const signChanges = async (trx: Trx, { key, reason = '' }: Author): Promise<void> => {
  await sql`select set_config('pergamin.key_id', ${key.keyId}, true), set_config('pergamin.key_name', ${key.name}, true),
    set_config('pergamin.reason', ${reason}, true)`.execute(trx);
};

const keptColumns = [
  'id',
  'state',
  'sha256',
  'object_key',
  'file_name',
  'unique_name',
  'account_number',
  'case_number',
  'cif',
  'cif2',
  'group_id',
  'published_at',
  'published_by',
  'publisher_key_id',
  'retention_date',
  'legal_hold',
  'removal_began_at',
  'removed_at',
  'successor',
] as const;

/** Until when the store was told to lock the bytes of this row. */
const lockedUntil = sql<Date | null>`(select locked_until from object_lock where object_lock.key = document.object_key)`;
/** As the register has it, which nothing changes unnoticed. */
const registeredAt = sql<Date | null>`(select at from publication where publication.document_id = document.id)`;

const published = (db: Db, id: string) =>
  db
    .selectFrom('document')
    .select([...keptColumns, lockedUntil.as('locked_until'), registeredAt.as('registered_at')])
    .where('id', '=', id)
    .where('published_at', 'is not', null)
    .$narrowType<{ published_at: NotNull }>();

export type KeptRow = NonNullable<Awaited<ReturnType<ReturnType<typeof published>['executeTakeFirst']>>>;

const orNotFound = (row: KeptRow | undefined): KeptRow => {
  if (row === undefined) throw new PortalError('DOCUMENT_NOT_FOUND_ERROR');
  return row;
};

/** What names the document or its owner. */
export const namesIn = (row: KeptRow): string[] =>
  [row.cif, row.cif2, row.group_id, row.file_name, row.unique_name, row.account_number, row.case_number, row.sha256].filter(
    (name) => name !== null,
  );

/** Throws DOCUMENT_NOT_FOUND_ERROR for an unknown id and for a draft. */
export const getKept = async (db: Db, id: string): Promise<KeptRow> => orNotFound(await published(db, id).executeTakeFirst());

/** The same, locked against other changes of it until the transaction ends. */
export const lockKept = async (trx: Trx, id: string): Promise<KeptRow> =>
  orNotFound(await published(trx, id).forNoKeyUpdate().executeTakeFirst());

interface Changes {
  readonly state?: DocumentState;
  readonly legal_hold?: boolean;
  readonly retention_date?: string;
}

export const changeKept = async (trx: Trx, id: string, changes: Changes): Promise<KeptRow> =>
  trx
    .updateTable('document')
    .set(changes)
    .where('id', '=', id)
    .returning([...keptColumns, lockedUntil.as('locked_until'), registeredAt.as('registered_at')])
    .$narrowType<{ published_at: NotNull }>()
    .executeTakeFirstOrThrow();

/** In the order in which they happened. */
export const listChanges = (db: Db, id: string) =>
  db
    .selectFrom('document_event')
    .select(['event', 'at', 'state_before', 'state', 'retention_before', 'retention', 'key_id', 'key_name', 'reason'])
    .where('document_id', '=', id)
    .orderBy('id')
    .execute();

import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatVerifierKey, parseCheckpoint, signCheckpoint } from '@pergamin/ledger';
import { sql } from 'kysely';
import { ledgerKeyOf } from '#features/ledger/ledger-key.ts';
import { openStore } from '#platform/objects/open-store.ts';
import { changePastTriggers, damageFirstTile, damageObject } from './ledger-damage.ts';
import type { TestPortal } from './test-portal.ts';

/** What is changed: `id` of the client 8101, `other` of the client 8102. The log has an entry of each, and one before them. */
export interface Tampered {
  readonly portal: TestPortal;
  readonly id: string;
  readonly other: string;
}

export type Tampering = (on: Tampered) => Promise<unknown>;

type Statement = ReturnType<typeof sql>;

const uuid = (id: string): Statement => sql`${id}::uuid`;
const inRows =
  (statementsOf: (on: Tampered) => readonly Statement[]): Tampering =>
  (on) =>
    changePastTriggers(on.portal, ...statementsOf(on));
const inDocument = (set: Statement): Tampering => inRows(({ id }) => [sql`update document set ${set} where id = ${uuid(id)}`]);

const ownerTables = [
  ['document', 'id'],
  ['publication', 'document_id'],
] as const;

const swapOwners = inRows(({ id, other }) => [
  ...ownerTables.map(
    ([table, key]) => sql`
      update ${sql.table(table)} set cif = case cif when '8101' then '8102' else '8101' end
      where ${sql.ref(key)} in (${uuid(id)}, ${uuid(other)})`,
  ),
  sql`update delivery set principal = case principal when 'cif:8101' then 'cif:8102' else 'cif:8101' end
    where document_id in (${uuid(id)}, ${uuid(other)})`,
]);

const backDate = inRows(({ id }) => [
  sql`update document set published_at = published_at - interval '400 days' where id = ${uuid(id)}`,
  sql`update publication set at = at - interval '400 days' where document_id = ${uuid(id)}`,
  sql`update delivery set published_at = published_at - interval '400 days' where document_id = ${uuid(id)}`,
]);

const deliverToStranger = inRows(({ id }) => [
  sql`insert into delivery (principal, document_id, kind, published_at, listed_on)
    select 'cif:8109', document_id, kind, published_at, listed_on from delivery where document_id = ${uuid(id)}`,
]);

/** A document with all its rows, as a release makes them, and without an entry. */
const publishWithoutEntry: Tampering = ({ portal, id, other }) =>
  changePastTriggers(
    portal,
    // The entry of the other one stands in its place, so that the tree is whole.
    sql`update ledger_entry set document_id = ${uuid(other)}, event = 'NOTIFIED' where document_id = ${uuid(id)}`,
  );

const keepEntryAlone = inRows(({ id }) => [
  sql`delete from delivery where document_id = ${uuid(id)}`,
  sql`delete from publication where document_id = ${uuid(id)}`,
  sql`update document set published_at = null where id = ${uuid(id)}`,
]);

const deleteWithRows: Tampering = async (on) => {
  const { portal, id } = on;
  const { object_key: key } = await portal.db.selectFrom('document').select('object_key').where('id', '=', id).executeTakeFirstOrThrow();
  await inRows(() => [
    sql`delete from delivery where document_id = ${uuid(id)}`,
    sql`delete from publication where document_id = ${uuid(id)}`,
    sql`delete from document where id = ${uuid(id)}`,
  ])(on);
  await (await openStore(portal.settings)).objects.discard(key);
};

/** Its entry and that of the other one, each in the place of the other. */
const reorder = inRows(({ id, other }) => {
  const columns = sql`document_id, event, at, commitment, statement, is_public`;
  const ofBoth = sql`document_id in (${uuid(id)}, ${uuid(other)})`;
  return [
    sql`create temporary table swapped on commit drop as
      select (select sum(index) from ledger_entry where ${ofBoth}) - index as index, ${columns} from ledger_entry where ${ofBoth}`,
    sql`delete from ledger_entry where ${ofBoth}`,
    sql`insert into ledger_entry (index, ${columns}) select index::bigint, ${columns} from swapped`,
  ];
});

const lastTree = sql`(select max(size) from ledger_tree)`;
/** The entries of both documents. */
const cutRows: readonly Statement[] = [
  sql`delete from ledger_entry where index >= ${lastTree} - 2`,
  sql`delete from ledger_checkpoint where size > ${lastTree} - 2`,
  sql`delete from ledger_tree where size > ${lastTree} - 2`,
];
const cut = inRows(() => cutRows);

const restoreOlder = inRows(({ id, other }) => [
  ...cutRows,
  sql`delete from delivery where document_id in (${uuid(id)}, ${uuid(other)})`,
  sql`delete from publication where document_id in (${uuid(id)}, ${uuid(other)})`,
  sql`delete from document where id in (${uuid(id)}, ${uuid(other)})`,
]);

/** The same tree under another key, in every place where the portal keeps one. */
const changeKey: Tampering = async ({ portal }) => {
  const { settings } = portal;
  const path = join(settings.ledgerDir, 'checkpoint');
  const head = parseCheckpoint(await readFile(path, 'utf8'));
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
  const { key, sign } = ledgerKeyOf(createPrivateKey(pem), head.origin);
  const note = signCheckpoint(head, key, sign);
  await rm(settings.ledgerKeyFile);
  await writeFile(settings.ledgerKeyFile, pem, { mode: 0o600 });
  await writeFile(path, note);
  await changePastTriggers(
    portal,
    sql`update ledger_log set verifier_key = ${formatVerifierKey(key)}`,
    sql`update ledger_checkpoint set note = ${note} where size = ${head.size}`,
  );
};

/** A checkpoint of the same size and another root, signed by the log: what a second browser was shown. */
export const forgeCheckpoint = async ({ settings }: TestPortal): Promise<string> => {
  const head = parseCheckpoint(await readFile(join(settings.ledgerDir, 'checkpoint'), 'utf8'));
  const { key, sign } = ledgerKeyOf(createPrivateKey(await readFile(settings.ledgerKeyFile)), head.origin);
  return signCheckpoint({ ...head, root: Buffer.alloc(32, 7) }, key, sign);
};

/** In the order of the table of docs/durable-medium.md. */
export const tamperings: readonly (readonly [name: string, tampering: Tampering])[] = [
  ['bytes', ({ portal, id }) => damageObject(portal, id)],
  ['owners swapped', swapOwners],
  ['date', backDate],
  ['name', inDocument(sql`file_name = 'Aneks.pdf'`)],
  ['metadata', inDocument(sql`case_number = '77/2020'`)],
  ['state', inDocument(sql`state = 'CANCELLED'`)],
  ['retention', inDocument(sql`retention_date = '2020-01-01'`)],
  ['recipients', deliverToStranger],
  ['never logged', publishWithoutEntry],
  ['logged, and not delivered', keepEntryAlone],
  ['deleted with its rows', deleteWithRows],
  ['delivery removed', inRows(({ id }) => [sql`delete from delivery where document_id = ${uuid(id)}`])],
  ['entry detached', inRows(({ id }) => [sql`update ledger_entry set document_id = null where document_id = ${uuid(id)}`])],
  ['entries reordered', reorder],
  ['tile rewritten', ({ portal }) => damageFirstTile(portal)],
  ['log cut, the file left', cut],
  [
    'log cut, the file removed',
    async (on) => {
      await cut(on);
      await rm(join(on.portal.settings.ledgerDir, 'checkpoint'));
    },
  ],
  ['key changed', changeKey],
  ['older database', restoreOlder],
  ['two histories to two browsers', async () => undefined],
];

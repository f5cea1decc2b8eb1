/**
 * Compares the Kysely types of all tables with a database that the migrations have just made. Alone, from the root:
 * `node server/src/testing/check-table-types.ts`, and with `--write` it writes them anew.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityMigrations } from '@pergamin/identity';
import { type Kysely, sql } from 'kysely';
import {
  ArrayExpressionNode,
  type DatabaseMetadata,
  DiffChecker,
  type ExpressionNode,
  generate,
  GenericExpressionNode,
  IdentifierNode,
  PostgresDialect,
} from 'kysely-codegen';
import { openDatabase } from '#platform/database/database.ts';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres/embedded-postgres.ts';
import { migrateToLatest } from '#platform/database/migrate.ts';
import { silentLog } from '#platform/log/log.ts';

interface TableTypes {
  readonly schema: string;
  readonly file: string;
  /** Where each type comes from that `columns` name. */
  readonly imports: Record<string, string>;
  /** What the database does not say of a column: what JSON holds, what a text without a check may be. */
  readonly columns: Record<string, ExpressionNode>;
}

const contract = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, '@pergamin/contract']));

const type = (name: string): ExpressionNode => new IdentifierNode(name);
const listOf = (name: string): ExpressionNode => new ArrayExpressionNode(type(name));
const typeOf = (generic: string, ...of: ExpressionNode[]): ExpressionNode => new GenericExpressionNode(generic, of);
const pageSizes = typeOf('JSONColumnType', listOf('{ width: number; height: number }'));

const firstTimes = typeOf('Generated', typeOf('JSONColumnType', type('Record<string, number>')));

const all: readonly TableTypes[] = [
  {
    schema: 'public',
    file: '../platform/database/tables.generated.ts',
    imports: contract('DocumentSeal', 'DocumentState', 'PdfFlag', 'SavedViewContent'),
    columns: {
      'call_counter.calls': listOf('Date'),
      'configuration_change.after': typeOf('JSONColumnType', type('Record<string, unknown>')),
      'configuration_change.before': typeOf('JSONColumnType', type('Record<string, unknown> | null')),
      'delivery.kind': type("'private' | 'statement' | 'public'"),
      'document.meta': typeOf('JSONColumnType', type('Record<string, string | number | boolean>')),
      'document.page_sizes': pageSizes,
      'document.pdf_flags': typeOf('Generated', listOf('PdfFlag')),
      'document.seal': typeOf('JSONColumnType', type('DocumentSeal')),
      'document_mark.page_times': firstTimes,
      'document_mark.verified': firstTimes,
      'document_event.state': type('DocumentState'),
      'document_event.state_before': type('DocumentState'),
      'saved_view.content': typeOf('JSONColumnType', type('SavedViewContent')),
      'sent_document.flags': listOf('PdfFlag'),
      'sent_document.page_sizes': pageSizes,
      'statute.page_sizes': pageSizes,
      'webhook_delivery.event': typeOf('ColumnType', type('object | null'), type('string | null'), type('string | null')),
      // The key of an advisory lock needs all 64 bits.
      'worker_process.lock_key': type('string'),
    },
  },
  {
    schema: identityMigrations.schema,
    file: '../../../identity/src/database/tables.generated.ts',
    imports: { AdapterPayload: 'oidc-provider' },
    columns: {
      'oidc_payload.payload': typeOf('ColumnType', type('AdapterPayload'), type('string'), type('string')),
      'secret.value': typeOf('ColumnType', type('unknown'), type('string'), type('string')),
    },
  },
];

/** What a check lets a text be, as `CHECK ((state = ANY (ARRAY['ACTIVE'::text, 'CLOSED'::text])))`. */
const oneOf = /^CHECK \(\(\w+ = ANY \(ARRAY\[(?<values>.*)\]\)\)\)$/;

/** Columns with such a check become unions. */
const readChecks = async (db: Kysely<unknown>, metadata: DatabaseMetadata): Promise<DatabaseMetadata> => {
  const { rows } = await sql<{ schema: string; table: string; column: string; definition: string }>`
    select connamespace::regnamespace::text as schema, relname as table, attname as column, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class on pg_class.oid = conrelid join pg_attribute on attrelid = conrelid and array[attnum] = conkey
    where contype = 'c'`.execute(db);
  for (const { schema, table, column, definition } of rows) {
    const values = oneOf.exec(definition)?.groups?.['values'];
    const found = metadata.tables.find((of) => of.schema === schema && of.name === table)?.columns.find(({ name }) => name === column);
    if (values !== undefined && found !== undefined)
      found.enumValues = [...values.matchAll(/'([^']*)'::text/g)].map(([, value = '']) => value);
  }
  return metadata;
};

const generateTypes = (db: Kysely<unknown>, { schema, imports, columns }: TableTypes): Promise<string> =>
  generate({
    db,
    dialect: new PostgresDialect({ dateParser: 'string', defaultSchemas: [schema] }),
    defaultSchemas: [schema],
    includePattern: `${schema}.*`,
    customImports: imports,
    overrides: { columns },
    typeMapping: { int8: 'number' },
    postprocess: ({ metadata }) => readChecks(db, metadata),
    outFile: null,
  });

const withMigratedDatabase = async <Result>(work: (db: Kysely<unknown>) => Promise<Result>): Promise<Result> => {
  const log = silentLog();
  const dataDir = await mkdtemp(join(tmpdir(), 'pergamin-types-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
  const { db, close } = openDatabase({ connection: postgres.connection, maxConnections: 5, log });
  try {
    await migrateToLatest(db, log);
    await migrateToLatest(db, log, identityMigrations);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its types are what is looked for
    return await work(db as unknown as Kysely<unknown>);
  } finally {
    await close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const problems = await withMigratedDatabase(async (db) => {
  const differences: string[] = [];
  for (const types of all) {
    const file = fileURLToPath(new URL(types.file, import.meta.url));
    const made = await generateTypes(db, types);
    if (process.argv.includes('--write')) await writeFile(file, made);
    const difference = new DiffChecker().diff(made, await readFile(file, 'utf8'));
    if (difference !== undefined) differences.push(`${types.file} does not say what the tables are (--write mends that):\n${difference}`);
  }
  return differences;
});
process.stdout.write(problems.length === 0 ? 'the types fit the tables\n' : `${problems.join('\n')}\n`);
process.exitCode = problems.length;

import { sql } from 'kysely';
import type { TestPortal } from './test-portal.ts';

/** Every row of every table of every schema: `table` as schema.name, `row` as JSON, in which bytes are hexadecimal. */
export const dumpDatabase = async ({ owner }: Pick<TestPortal, 'owner'>): Promise<{ table: string; row: string }[]> => {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    order by 1, 2`.execute(owner.db);
  const dumps = tables.map(async ({ schema, name }) => {
    const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.id(schema, name)} t`.execute(owner.db);
    return rows.map(({ row }) => ({ table: `${schema}.${name}`, row }));
  });
  return (await Promise.all(dumps)).flat();
};

/** In which tables a text stands, in any case, without regard to spaces, and in bytes too. */
export const tablesWith = (dump: readonly { readonly table: string; readonly row: string }[], text: string): string[] => {
  const plain = text.toLowerCase().replaceAll(/\s/g, '');
  const needles = [plain, Buffer.from(text).toString('hex')];
  const isIn = (row: string): boolean => needles.some((needle) => row.toLowerCase().replaceAll(/\s/g, '').includes(needle));
  return [...new Set(dump.filter(({ row }) => isIn(row)).map(({ table }) => table))].toSorted();
};

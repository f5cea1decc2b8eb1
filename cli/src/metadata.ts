import { calls, type MetadataType, type MetadataValue } from '@pergamin/contract';
import type { Connection } from './connection.ts';
import { UsageError } from './errors.ts';

/** Text as it was typed, as the value that the definition's type wants. SIMPLE_DATE and DATE accept -1 for indefinite. */
export const valueFromText = (text: string, type: MetadataType): MetadataValue => {
  if (type === 'BOOLEAN' && (text === 'true' || text === 'false')) return text === 'true';
  if (type === 'DECIMAL' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if ((type === 'SIMPLE_DATE' || type === 'DATE') && text === '-1') return -1;
  if (type === 'DATE' && !Number.isNaN(Date.parse(text))) return Date.parse(text);
  return text;
};

/** Of the metadata that the portal tells everybody about, by their keys and numbers. */
export const readMetadataTypes = async (connection: Connection): Promise<ReadonlyMap<string, MetadataType>> => {
  const { items } = await connection.call(calls.listPublicMetadata, {});
  return new Map(
    items.flatMap(({ id, number, type }) => [[id, type] as const, ...(number === null ? [] : [[String(number), type] as const])]),
  );
};

/** `KEY=VALUE` pairs as metadata. Keys the portal does not tell everybody about are sent as text; it is the portal that judges them. */
export const readMetadata = async (connection: Connection, pairs: readonly string[]): Promise<Record<string, MetadataValue>> => {
  if (pairs.length === 0) return {};
  const types = await readMetadataTypes(connection);
  const values = new Map<string, MetadataValue>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`--meta ${pair}: write KEY=VALUE`);
    const key = pair.slice(0, at);
    if (values.has(key)) throw new UsageError(`--meta ${key} was given twice`);
    values.set(key, valueFromText(pair.slice(at + 1), types.get(key) ?? 'TEXT'));
  }
  return Object.fromEntries(values);
};

import { keptText, type MetadataType, publication, typedText } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import * as z from 'zod/mini';
import { valueFromText } from './metadata.ts';
import { type ColumnKind, type Outcome, readRecordLines, type RecordLine, type RecordShape } from './record-lines.ts';
import type { TableEncoding } from '#tables/table-encoding.ts';

const manifestRecord = z.extend(publication, {
  /** The path of the PDF, beside the manifest or in the archive, as it is written there: the exact one comes first. */
  file: typedText(1_000).check(z.minLength(1)),
  /** Needed here, where one document may be left out: a run that is repeated must know what it has published. */
  uniqueName: keptText(200),
});

export type ManifestRecord = z.output<typeof manifestRecord>;
export type ManifestLine = RecordLine<ManifestRecord>;

/** Every field of a line but its metadata, with what it must be. */
const expectations: Readonly<Record<string, string>> = {
  file: 'must be the path of a PDF, of 1 to 1000 characters',
  type: 'must be PRIVATE, GROUP or PUBLIC',
  fileName: 'must be 1 to 255 characters on one line',
  uniqueName: 'must be 1 to 200 characters on one line, another one in each line',
  cif: 'must be 1 to 32 letters, digits or -',
  cif2: 'must be 1 to 32 letters, digits or -',
  groupId: 'must be 1 to 64 characters',
  replaces: 'must be the id of a document',
  sha256: 'must be 64 hexadecimal digits',
  addedBy: 'must be 1 to 200 characters on one line',
};

const metadataPrefix = 'meta.';

const problemOf = ({ code, path, ...issue }: z.core.$ZodIssue): string => {
  if (code === 'unrecognized_keys' && 'keys' in issue) return `${issue.keys.join(', ')}: not a field of a publication`;
  const [field, key] = path.map(String);
  if (field === undefined) return 'not a publication';
  if (field === 'metadata') return `metadata${key === undefined ? '' : ` ${key}`}: must be keys with a text, a number or true or false`;
  return `${field}: ${expectations[field] ?? 'not a field of a publication'}`;
};

/** A validator would drop this key without a word. */
const holdsPrototype = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || ('metadata' in value && holdsPrototype(value.metadata)));

const readRecord = (value: unknown): Outcome<ManifestRecord> => {
  if (holdsPrototype(value)) return { problem: '__proto__: not a field of a publication' };
  const given = typeof value === 'object' && value !== null && 'file' in value ? value.file : undefined;
  // Without a name of its own, clients see that of the file.
  const named = typeof given === 'string' ? { fileName: (given.split(/[/\\]/).at(-1) ?? '').normalize() } : {};
  const whole = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...named, ...value } : value;
  const read = safeParse(manifestRecord, whole);
  if (!read.success) return { problem: [...new Set(read.error.issues.map(problemOf))].join('; ') };
  return read.data.publishedAt === undefined ? { record: read.data } : { problem: 'publishedAt: not a field of a publication' };
};

const fieldsOf = (cells: ReadonlyMap<string, string>, types: ReadonlyMap<string, MetadataType>): Record<string, unknown> => {
  const filled = [...cells].filter(([, cell]) => cell !== '');
  const own = filled.filter(([name]) => !name.startsWith(metadataPrefix));
  const metadata = filled
    .filter(([name]) => name.startsWith(metadataPrefix))
    .map(([name, cell]) => [name.slice(metadataPrefix.length), cell] as const)
    .map(([key, cell]) => [key, valueFromText(cell, types.get(key) ?? 'TEXT')] as const);
  return { ...Object.fromEntries(own), metadata: Object.fromEntries(metadata) };
};

const identifiers: ReadonlySet<string> = new Set(['uniqueName', 'cif', 'cif2', 'groupId', 'replaces', 'sha256']);

const kindOf = (name: string, types: ReadonlyMap<string, MetadataType>): ColumnKind => {
  if (!name.startsWith(metadataPrefix)) return identifiers.has(name) ? 'identifier' : 'text';
  const type = types.get(name.slice(metadataPrefix.length)) ?? 'TEXT';
  return type === 'DECIMAL' || type === 'DATE' || type === 'SIMPLE_DATE' ? 'number' : 'identifier';
};

const shapeOf = (types: ReadonlyMap<string, MetadataType>): RecordShape<ManifestRecord> => ({
  required: ['file', 'type', 'uniqueName'],
  listed: [...Object.keys(expectations), `${metadataPrefix}KEY`],
  isColumn: (name) => Object.hasOwn(expectations, name) || (/^meta\.[A-Za-z0-9_]+$/.test(name) && name !== `${metadataPrefix}__proto__`),
  kindOf: (name) => kindOf(name, types),
  // The file is looked for as it is written first.
  verbatim: 'file',
  fieldsOf: (cells) => fieldsOf(cells, types),
  read: readRecord,
});

/** `types`: of the metadata, by their keys. */
export interface ManifestReading {
  readonly types: ReadonlyMap<string, MetadataType>;
  readonly encoding?: TableEncoding | undefined;
}

/** Reads a manifest of publications line by line: CSV (named columns, metadata as `meta.KEY`), XLSX or JSONL. Throws as `readRecordLines`. */
export const readManifest = (path: string, { types, encoding }: ManifestReading): Promise<AsyncGenerator<ManifestLine>> =>
  readRecordLines(path, { shape: shapeOf(types), encoding });

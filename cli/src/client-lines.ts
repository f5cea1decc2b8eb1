import { clientRecord, type ClientRecord } from '@pergamin/contract';
import { safeParse } from 'zod/mini';
import { type Outcome, readRecordLines, type RecordLine, type RecordShape } from './record-lines.ts';
import type { TableEncoding } from '#tables/table-encoding.ts';

export type ClientLine = RecordLine<ClientRecord>;

/** Every field of a record, in the order of the contract, with what it must be: validators only say that it is not. */
const expectations: Readonly<Record<string, string>> = {
  personalId: 'must be 1 to 64 letters, digits or . _ @ -',
  cif: 'must be 1 to 32 letters, digits or -',
  cif2: 'must be 1 to 32 letters, digits or -',
  firstName: 'must be 1 to 100 characters on one line',
  lastName: 'must be 1 to 100 characters on one line',
  email: 'must be an e-mail address, with nothing but ASCII before the @: most mail servers take no other letters there',
  phone: 'must be + with country code and 6 to 15 digits',
  groups: 'must be at most 100 group ids of 1 to 64 characters',
  managed: 'must be true or false',
  language: 'must be the code of a language, like PL or EN',
  initialPassword: 'must have 8 to 200 characters',
};

const readRecord = (value: unknown): Outcome<ClientRecord> => {
  const read = safeParse(clientRecord, value);
  if (read.success) return { record: read.data };
  // The value is not repeated: it is personal data.
  const problems = read.error.issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: not a field of a client`;
    const [field] = issue.path;
    return field === undefined ? 'not a client record' : `${String(field)}: ${expectations[String(field)] ?? 'invalid'}`;
  });
  return { problem: [...new Set(problems)].join('; ') };
};

/** What a blank cell says: that there is none, where a client can be without. Elsewhere it is a field that is left out. */
const blankCells: Readonly<Record<string, unknown>> = { cif2: null, email: null, phone: null, groups: [], managed: false };

const valueOf = (name: string, cell: string): unknown => {
  if (cell === '') return blankCells[name];
  if (name === 'groups') return cell.split('|').map((group) => group.trim());
  if (name !== 'managed') return cell;
  const word = cell.toLowerCase();
  return word === 'true' || word === 'false' ? word === 'true' : cell;
};

const identifiers: ReadonlySet<string> = new Set(['personalId', 'cif', 'cif2', 'phone', 'groups']);

const shape: RecordShape<ClientRecord> = {
  required: ['personalId', 'cif', 'firstName', 'lastName'],
  listed: Object.keys(expectations),
  isColumn: (name) => Object.hasOwn(expectations, name),
  kindOf: (name) => (identifiers.has(name) ? 'identifier' : 'text'),
  fieldsOf(cells) {
    const fields = [...cells].map(([name, cell]) => [name, valueOf(name, cell)] as const);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  },
  read: readRecord,
};

/** Reads a file of clients line by line: CSV (named columns), XLSX or JSONL, by its ending. Throws as `readRecordLines`. */
export const readClientLines = (path: string, encoding?: TableEncoding): Promise<AsyncGenerator<ClientLine>> =>
  readRecordLines(path, { shape, encoding });

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOf, concat, fromHex, integerBytes, textOf, toHex } from './bytes.ts';
import { MalformedError } from './malformed.ts';
import type { Hash, Sha256 } from './merkle.ts';

/** What an entry says happened. Numbers are written into entries and never change their meaning. */
export const statementEvents = {
  PUBLISHED: 1,
  STATE_CHANGED: 2,
  NOTIFIED: 3,
  RECEIVED: 4,
  RETENTION_EXTENDED: 5,
  FORGOTTEN: 6,
} as const;
export type StatementEvent = keyof typeof statementEvents;

export const statementTypes = { PUBLIC: 1, PRIVATE: 2, GROUP: 3 } as const;
export type StatementType = keyof typeof statementTypes;

export const statementStates = { ACTIVE: 1, CANCELLED: 2, OBSOLETE: 3, DELETED: 4, FORGOTTEN: 5 } as const;
export type StatementState = keyof typeof statementStates;

/** What the log commits to about one event of one document. Every hash is SHA-256, in lower-case hexadecimal. */
export interface Statement {
  readonly event: StatementEvent;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly documentId: string;
  readonly sha256: string;
  /** In bytes. */
  readonly size: number;
  /** Whose it is: principals like `cif:7001`, with a newline between two of them. */
  readonly owner: string;
  readonly type: StatementType;
  readonly state: StatementState;
  /** The commitment of the document's statement before this one; zeros for its first. */
  readonly previous: string;
  /** Of the metadata. */
  readonly metadata: string;
  /** 32 random bytes; zeros in the statement of a public document, which everyone may read in the log. */
  readonly salt: string;
}

const label = bytesOf('tn.statement/v1\0');
export const noHash = '0'.repeat(64);

const withLength = (text: string): Uint8Array => {
  const bytes = bytesOf(text);
  return concat(integerBytes(bytes.length, 2), bytes);
};

const hashBytes = (hex: string): Uint8Array => {
  const bytes = fromHex(hex, 'a hash of a statement');
  if (bytes.length !== 32) throw new MalformedError('a hash of a statement is not of 32 bytes');
  return bytes;
};

/** The one way to write a statement: fields of fixed length, and texts behind their length of two bytes. Throws MalformedError, RangeError. */
export const formatStatement = (statement: Statement): Uint8Array =>
  concat(
    label,
    integerBytes(statementEvents[statement.event], 1),
    integerBytes(statement.time, 8),
    withLength(statement.documentId),
    hashBytes(statement.sha256),
    integerBytes(statement.size, 8),
    withLength(statement.owner),
    integerBytes(statementTypes[statement.type], 1),
    integerBytes(statementStates[statement.state], 1),
    hashBytes(statement.previous),
    hashBytes(statement.metadata),
    hashBytes(statement.salt),
  );

const nameOf = <Name extends string>(numbers: Readonly<Record<Name, number>>, number: number): Name => {
  for (const name in numbers) if (numbers[name] === number) return name;
  throw new MalformedError('a statement has a number of no known meaning');
};

/** Throws MalformedError for anything that `formatStatement` does not write. */
export const parseStatement = (bytes: Uint8Array): Statement => {
  let at = 0;
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new MalformedError('a statement ends too early');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const integer = (length: 1 | 2 | 8): number => {
    const value = take(length).reduce((sum, byte) => sum * 256 + byte, 0);
    if (!Number.isSafeInteger(value)) throw new MalformedError('a number of a statement is too large');
    return value;
  };
  const text = (): string => textOf(take(integer(2)));
  const hash = (): string => toHex(take(32));
  if (toHex(take(label.length)) !== toHex(label)) throw new MalformedError('a statement does not begin as one');
  const statement: Statement = {
    event: nameOf(statementEvents, integer(1)),
    time: integer(8),
    documentId: text(),
    sha256: hash(),
    size: integer(8),
    owner: text(),
    type: nameOf(statementTypes, integer(1)),
    state: nameOf(statementStates, integer(1)),
    previous: hash(),
    metadata: hash(),
    salt: hash(),
  };
  if (at !== bytes.length) throw new MalformedError('a statement has more than its fields');
  return statement;
};

export const commitmentOf = (statement: Uint8Array, hash: Sha256 = sha256): Hash => hash(statement);

/** First byte of an entry: a commitment that only the statement opens, or the statement itself. */
const entryKinds = { commitment: 1, statement: 2 } as const;

/** The log's entry: the commitment alone, or, of a public document, the statement itself. */
export const entryOf = (statement: Uint8Array, { isPublic }: { isPublic: boolean }, hash?: Sha256): Uint8Array =>
  isPublic
    ? concat(Uint8Array.of(entryKinds.statement), statement)
    : concat(Uint8Array.of(entryKinds.commitment), commitmentOf(statement, hash));

import { toHex } from './bytes.ts';
import { MalformedError } from './malformed.ts';
import { leafHash, verifyInclusion } from './merkle.ts';
import { judge, type Policy, type PolicyVerdict } from './policy.ts';
import { parseReceipt, type Receipt } from './receipt.ts';
import { entryOf, parseStatement, type Statement, type StatementEvent } from './statement.ts';

/** The four questions that a receipt answers, in the order in which they are shown. */
export interface ReceiptVerdict {
  /** The file has the checksum that the statement names. */
  readonly isSameFile: boolean;
  /** The receipt holds a statement that can be read. */
  readonly opensStatement: boolean;
  /** The log has an entry that commits to this statement. */
  readonly isIncluded: boolean;
  /** The log's key, and as many witnesses as the policy asks for, have signed. */
  readonly isSigned: boolean;
  /** By the log alone: when it is so and `isSigned` is not, witnesses are missing. */
  readonly isSignedByLog: boolean;
  readonly witnesses: PolicyVerdict['witnesses'];
  readonly statement: Statement | undefined;
  /** Where the entry is, and of how many; the root in hexadecimal. Undefined when the receipt could not be read. */
  readonly place: { readonly index: number; readonly size: number; readonly origin: string; readonly root: string } | undefined;
}

const unreadable: ReceiptVerdict = {
  isSameFile: false,
  opensStatement: false,
  isIncluded: false,
  isSigned: false,
  isSignedByLog: false,
  witnesses: [],
  statement: undefined,
  place: undefined,
};

const read = <Result>(parse: () => Result): Result | undefined => {
  try {
    return parse();
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
};

const isIncluded = ({ extra, index, proof, checkpoint: { size, root } }: Receipt, { type }: Statement): boolean =>
  extra !== undefined && verifyInclusion({ index, size, root, proof, leaf: leafHash(entryOf(extra, { isPublic: type === 'PUBLIC' })) });

/** `sha256` of the file, in lower-case hexadecimal. Asks no one: what the policy names is all that is trusted. Never throws for what it is given. */
export const verifyReceipt = (text: Uint8Array | string, { sha256, policy }: { sha256: string; policy: Policy }): ReceiptVerdict => {
  const receipt = read(() => parseReceipt(text));
  if (receipt === undefined) return unreadable;
  const { extra, index, checkpoint } = receipt;
  const statement = extra === undefined ? undefined : read(() => parseStatement(extra));
  const { isSigned, hasQuorum, witnesses } = judge(policy, checkpoint);
  return {
    isSameFile: statement?.sha256 === sha256,
    opensStatement: statement !== undefined,
    isIncluded: statement !== undefined && isIncluded(receipt, statement),
    isSigned: isSigned && hasQuorum,
    isSignedByLog: isSigned,
    witnesses,
    statement,
    place: { index, size: checkpoint.size, origin: checkpoint.origin, root: toHex(checkpoint.root) },
  };
};

/**
 * What a receipt proves of a file. `proved`: the event that was asked for. `received`: somebody sent the file to the organisation, which says
 * nothing of whose content it is. `otherEvent`: an authentic statement of something else. `notProved`: one of the four answers is no.
 */
export const receiptOutcomes = ['proved', 'received', 'otherEvent', 'notProved'] as const;
export type ReceiptOutcome = (typeof receiptOutcomes)[number];

/** The only way from four answers to a verdict: an authentic receipt proves its own event, and no other. */
export const outcomeOf = (verdict: ReceiptVerdict, expected: StatementEvent = 'PUBLISHED'): ReceiptOutcome => {
  const { isSameFile, isIncluded: included, isSigned, statement } = verdict;
  if (!isSameFile || statement === undefined || !included || !isSigned) return 'notProved';
  if (statement.event === expected) return 'proved';
  return statement.event === 'RECEIVED' ? 'received' : 'otherEvent';
};

/** That the file was published, or that the other event that is named happened to it. */
export const isProved = (verdict: ReceiptVerdict, expected?: StatementEvent): boolean => outcomeOf(verdict, expected) === 'proved';

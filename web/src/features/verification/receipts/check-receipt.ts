import { isProved, MalformedError, parsePolicy, type Policy, type ReceiptVerdict, verifyReceipt } from '@pergamin/ledger';

/** The file by its checksum in hexadecimal, and whom the verifier trusts (tlog-policy), if that is known. */
interface Given {
  readonly sha256: string;
  readonly receipt: Uint8Array;
  readonly policy: string | undefined;
}

export interface CheckedReceipt extends ReceiptVerdict {
  /** All four answers are right. */
  readonly isProved: boolean;
  /** `missing`, `malformed`: nothing is known of the keys, so that the last question stays open. */
  readonly keys: 'given' | 'missing' | 'malformed';
  /** Which witnesses the policy names. */
  readonly known: readonly string[];
}

const noKeys = parsePolicy('quorum none\n');

const readPolicy = (text: string): Policy | undefined => {
  try {
    return parsePolicy(text);
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
};

/** The same answers as `pergamin verify`. Loaded when there is a receipt. */
export const checkReceipt = ({ sha256, receipt, policy: text }: Given): CheckedReceipt => {
  const policy = text === undefined ? undefined : readPolicy(text);
  const verdict = verifyReceipt(receipt, { sha256, policy: policy ?? noKeys });
  return {
    ...verdict,
    isProved: isProved(verdict),
    keys: text === undefined ? 'missing' : policy === undefined ? 'malformed' : 'given',
    known: policy?.witnesses.map(({ name }) => name) ?? [],
  };
};

import {
  MalformedError,
  outcomeOf,
  parsePolicy,
  type Policy,
  type ReceiptOutcome,
  type ReceiptVerdict,
  verifyReceipt,
} from '@pergamin/ledger';

/** The file by its checksum in hexadecimal, and whom the verifier trusts (tlog-policy), if that is known. */
interface Given {
  readonly sha256: string;
  readonly receipt: Uint8Array;
  readonly policy: string | undefined;
}

export interface CheckedReceipt extends ReceiptVerdict {
  /** Of a receipt that is asked whether the file was published. */
  readonly outcome: ReceiptOutcome;
  /** `missing`, `malformed`: nothing is known of the keys, so that the last question stays open. */
  readonly keys: 'given' | 'missing' | 'malformed';
  /** Which witnesses the policy names. */
  readonly known: readonly string[];
  /** Where the portal of the register verifies, if register or keys name it; undefined, too, of one whose signature is not right. */
  readonly portalAddress: string | undefined;
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
    outcome: outcomeOf(verdict),
    keys: text === undefined ? 'missing' : policy === undefined ? 'malformed' : 'given',
    known: policy?.witnesses.map(({ name }) => name) ?? [],
    portalAddress: policy === undefined ? undefined : portalAddressOf(verdict, policy),
  };
};

const isThisMachine = /^(?:localhost|127\.0\.0\.1)(?::|$)/;

/** A register is called by the host of its portal, as `portal.example/log`; keys may name its address (tlog-policy). */
const portalAddressOf = ({ isSignedByLog, place, statement }: ReceiptVerdict, { logs }: Policy): string | undefined => {
  if (!isSignedByLog || place === undefined || statement === undefined) return undefined;
  const host = /^([\w.-]+(?::\d+)?)\/log$/.exec(place.origin)?.[1];
  const named =
    logs.find(({ key }) => key.name === place.origin)?.url ?? (host && `${isThisMachine.test(host) ? 'http' : 'https'}://${host}`);
  if (named === undefined || !URL.canParse(named) || !/^https?:/.test(named)) return undefined;
  return new URL(`/verify#${encodeURIComponent(statement.documentId)}`, named).href;
};

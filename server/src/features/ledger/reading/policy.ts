import { formatVerifierKey, type VerifierKey } from '@pergamin/ledger';

/** The witnesses that the installation asks, and of how many of them a receipt needs the cosignature. */
export interface Watch {
  readonly witnesses: readonly VerifierKey[];
  readonly quorum: number;
}

/** C2SP tlog-policy: what a verifier of this ledger’s receipts may pin. The witnesses are called w1, w2 … in it, as a key’s name may be long. */
export const policyOf = (verifierKey: string, { witnesses, quorum }: Watch): string => {
  const names = witnesses.map((_, place) => `w${place + 1}`);
  const lines = [
    `log ${verifierKey}`,
    ...witnesses.map((key, place) => `witness ${names[place]} ${formatVerifierKey(key)}`),
    ...(names.length === 0 || quorum === 0 ? ['quorum none'] : [`group witnesses ${quorum} ${names.join(' ')}`, 'quorum witnesses']),
  ];
  return `${lines.join('\n')}\n`;
};

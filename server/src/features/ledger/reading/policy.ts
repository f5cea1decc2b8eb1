import type { Policy } from '@pergamin/ledger';

/** The policy of the installation, with its text. */
export type WrittenPolicy = Policy & { readonly text: string };

/** C2SP tlog-policy: what a verifier of this ledger’s receipts may pin. With the ledger’s own key, and without the addresses of witnesses. */
export const policyOf = (verifierKey: string, { text }: WrittenPolicy): string => {
  const lines = text.split('\n').filter((line) => !/^\s*log\s/.test(line));
  return [`log ${verifierKey}`, ...lines.map((line) => line.replace(/^(\s*witness\s+\S+\s+\S+)\s.*$/, '$1'))].join('\n');
};

import type { Policy } from '@pergamin/ledger';

/** The policy of the installation, with its text. */
export type WrittenPolicy = Policy & { readonly text: string };

/** C2SP tlog-policy: what a verifier of this ledger’s receipts may pin. With the ledger’s own key, and without the addresses of witnesses. */
export const policyOf = (verifierKey: string, { text }: WrittenPolicy): string => {
  const lines = text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === 'log') return [];
    return words[0] === 'witness' ? words.slice(0, 3).join(' ') : line;
  });
  return [`log ${verifierKey}`, ...lines].join('\n');
};

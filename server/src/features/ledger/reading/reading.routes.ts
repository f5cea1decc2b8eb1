import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import type { findNewestTimestamp } from '../dating.store.ts';
import { policyOf, type WrittenPolicy } from './policy.ts';
import type { LedgerReading } from './reading.service.ts';

interface Parts {
  readonly reading: LedgerReading;
  readonly policy: WrittenPolicy;
  readonly findTimestamp: () => ReturnType<typeof findNewestTimestamp>;
  readonly halted: () => string | undefined;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** No answer of its own: every page asks, and an installation without a document is no error. */
const nothingYet = { origin: '', verifierKey: '', size: 0, root: '', checkpoint: '', at: 0, policy: '', witnesses: [], timestamp: null };

export const ledgerReadingRoutes = ({ reading, policy, findTimestamp, halted }: Parts): readonly Route[] => [
  route(calls.getLedger, async () => {
    const tree = await reading.findTree();
    const standing = { isWatched: policy.witnesses.length > 0, isHalted: halted() !== undefined };
    if (tree === undefined) return { ...nothingYet, ...standing };
    const { origin, verifierKey, size, root, text, at, cosignatures } = tree;
    const dated = await findTimestamp();
    const times = new Map(cosignatures.map((cosignature) => [cosignature.witness, cosignature.at]));
    return {
      origin,
      verifierKey,
      size,
      root: hex(root),
      checkpoint: text,
      at: at.getTime(),
      policy: policyOf(verifierKey, policy),
      witnesses: policy.witnesses.map(({ name }) => ({ name, cosignedAt: times.get(name) ?? null })),
      ...standing,
      timestamp:
        dated === undefined
          ? null
          : { size: dated.size, at: dated.at.getTime(), note: dated.note, token: Buffer.from(dated.token).toString('base64') },
    };
  }),

  route(calls.getConsistency, async ({ query: { from } }) => {
    const { tree, proof } = await reading.consistencyFrom(from);
    return { size: tree.size, checkpoint: tree.text, proof: proof.map(base64) };
  }),
];

import { calls } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import { policyOf, type Watch } from './policy.ts';
import type { LedgerReading } from './reading.service.ts';

interface Parts {
  readonly reading: LedgerReading;
  readonly watch: Watch;
  readonly halted: () => string | undefined;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

export const ledgerReadingRoutes = ({ reading, watch, halted }: Parts): readonly Route[] => [
  route(calls.getLedger, async () => {
    const { origin, verifierKey, size, root, text, at, cosignatures } = await reading.getTree();
    const times = new Map(cosignatures.map((cosignature) => [cosignature.witness, cosignature.at]));
    return {
      origin,
      verifierKey,
      size,
      root: hex(root),
      checkpoint: text,
      at: at.getTime(),
      policy: policyOf(verifierKey, watch),
      witnesses: watch.witnesses.map(({ name }) => ({ name, cosignedAt: times.get(name) ?? null })),
      isWatched: watch.witnesses.length > 0,
      isHalted: halted() !== undefined,
    };
  }),

  route(calls.getConsistency, async ({ query: { from } }) => {
    const { tree, proof } = await reading.consistencyFrom(from);
    return { size: tree.size, checkpoint: tree.text, proof: proof.map(base64) };
  }),
];

import { type AnswerOf, getConsistency, getLedger, pathOf } from '@pergamin/contract';
import { type Checkpoint, isSignedBy, parseCheckpoint, parseVerifierKey, verifyConsistency } from '@pergamin/ledger';
import { useEffect, useState } from 'react';
import { Dialog } from '#kit/overlays/Dialog.tsx';
import { call } from '#platform/api.ts';
import { momentText } from '#platform/dates.ts';
import { t } from '#platform/language.ts';
import { numberText } from '#platform/numbers.ts';

/** Says so when the register is not the one that this browser saw before; otherwise nothing is seen or heard of it. */
export function RegisterCheck() {
  const [contradiction, setContradiction] = useState<Contradiction>();
  useEffect(() => {
    // Without an answer there is nothing to compare: the next visit does.
    void findContradiction().then(setContradiction, () => undefined);
  }, []);
  if (contradiction === undefined) return null;
  const { seenAt, size } = contradiction;
  return (
    <Dialog title={t('receipt.registerChanged')} urgent onClose={() => setContradiction(undefined)}>
      <p>{t('receipt.registerChangedLead', { date: momentText(seenAt), size: numberText(size) })}</p>
      <p>{t('receipt.registerChangedAdvice')}</p>
    </Dialog>
  );
}

/** What this browser saw of the register, and what does not continue it. */
interface Contradiction {
  /** Epoch milliseconds. */
  readonly seenAt: number;
  /** Entries at that time. */
  readonly size: number;
}

type Register = AnswerOf<typeof getLedger>;

/** Not local storage, which has the statute flag and nothing else (B18); only where the connection is safe, as the browser wants it. */
const storeName = 'register';
const place = pathOf(getLedger, {});

const recall = async (store: Cache): Promise<Register | undefined> => {
  const seen: unknown = await (await store.match(place))?.json().catch(() => undefined);
  return getLedger.answer.safeParse(seen).data;
};

/** The register that is shown now is signed by the key that was known, and holds all that was there. */
const continues = async (seen: Register, before: Checkpoint): Promise<boolean> => {
  const { checkpoint: text, proof } = await call(getConsistency, { query: { from: String(before.size) } });
  const now = parseCheckpoint(text);
  const hashes = proof.map((hash) => Uint8Array.from(atob(hash), (character) => character.charCodeAt(0)));
  return (
    isSignedBy(now, parseVerifierKey(seen.verifierKey)) &&
    verifyConsistency({ oldSize: before.size, oldRoot: before.root, size: now.size, root: now.root, proof: hashes })
  );
};

/**
 * Demands that the register continues the one that was seen at the last visit, and remembers it; what contradicts it is not remembered, so that
 * the next visit says so, too. Throws when there is no answer.
 */
const findContradiction = async (): Promise<Contradiction | undefined> => {
  if (!('caches' in globalThis)) return undefined;
  const [store, now] = await Promise.all([caches.open(storeName), call(getLedger, {})]);
  const seen = await recall(store);
  if (seen !== undefined) {
    const before = parseCheckpoint(seen.checkpoint);
    const isSame = now.verifierKey === seen.verifierKey && now.size >= before.size && (await continues(seen, before));
    if (!isSame) return { seenAt: seen.at, size: before.size };
  }
  if (now.size > 0) await store.put(place, Response.json(now));
  return undefined;
};

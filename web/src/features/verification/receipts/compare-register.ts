import { getConsistency, getLedger } from '@pergamin/contract';
import { isSignedBy, parseCheckpoint, parseVerifierKey, verifyConsistency } from '@pergamin/ledger';
import { call } from '#platform/api.ts';
import { checkpointOf, openRegisterMemory, type Register, type RegisterMemory, type SeenRegister } from './register-memory.ts';

/** What is to be said of the register. Epoch milliseconds by this browser's clock. */
export type RegisterFinding = Pick<SeenRegister, 'seenAt'> & { readonly size: number } & (
    | { readonly kind: 'changed' }
    /** Nothing could be compared since then. */
    | { readonly kind: 'notCompared'; readonly since: number }
  );

/** An outage is shorter. */
const silentForMs = 86_400_000;

/**
 * Demands that the register continues the one that was seen at the last visit, and remembers it; what contradicts it is not remembered, so that
 * the next visit says so, too. What could not be compared is said after a day without a comparison. Undefined: there is nothing to say, also where
 * this browser keeps nothing.
 */
export const compareRegister = async (): Promise<RegisterFinding | undefined> => {
  const memory = await openRegisterMemory();
  // Before the portal is asked: another tab may remember a newer one meanwhile.
  const seen = await memory?.recall();
  if (memory === undefined) return undefined;
  let next: Register | undefined;
  try {
    next = await findNext(seen);
  } catch {
    return seen === undefined ? undefined : countFailure(memory, seen);
  }
  if (seen !== undefined && next === undefined) return { kind: 'changed', seenAt: seen.seenAt, size: seen.checkpoint.size };
  await memory.forgetFailed();
  const latest = await memory.recall();
  if (next !== undefined && (latest === undefined || latest.checkpoint.size <= next.size)) await memory.remember(next);
  return undefined;
};

/** The register to remember; undefined: there is none, or it does not continue the one that was seen. Rejects when it could not be compared. */
const findNext = async (seen: SeenRegister | undefined): Promise<Register | undefined> => {
  const now = await call(getLedger, {});
  if (seen === undefined) return checkpointOf(now) === undefined ? undefined : now;
  const { register, checkpoint: before } = seen;
  if (now.verifierKey !== register.verifierKey || now.size < before.size) return undefined;
  const { checkpoint: text, proof } = await call(getConsistency, { query: { from: String(before.size) } });
  const next = parseCheckpoint(text);
  const hashes = proof.map((hash) => Uint8Array.from(atob(hash), (character) => character.charCodeAt(0)));
  const continues =
    isSignedBy(next, parseVerifierKey(register.verifierKey)) &&
    verifyConsistency({ oldSize: before.size, oldRoot: before.root, size: next.size, root: next.root, proof: hashes });
  // What was compared, and not what the other call has shown.
  return continues ? { ...now, size: next.size, checkpoint: text } : undefined;
};

const countFailure = async (
  memory: RegisterMemory,
  { seenAt, checkpoint: { size } }: SeenRegister,
): Promise<RegisterFinding | undefined> => {
  const now = Date.now();
  const failed = await memory.recallFailed();
  // A clock that was set back since then begins anew.
  const since = failed === undefined || failed.since > now ? now : failed.since;
  await memory.rememberFailed({ since, count: (failed?.count ?? 0) + 1 });
  return now - since >= silentForMs ? { kind: 'notCompared', seenAt, size, since } : undefined;
};

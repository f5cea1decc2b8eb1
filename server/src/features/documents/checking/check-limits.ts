import { checkLimits, openCallLimits } from '@pergamin/contract';
import type { DocumentsParts } from '#features/documents/parts.ts';
import type { ClientCaller } from '#platform/http/caller.ts';
import { PortalError } from '#platform/http/errors.ts';
import { networkOf } from '#platform/http/network.ts';
import { countCall } from './checks.store.ts';

/** A check reads a whole document. Each counts one more and throws CALL_NOT_PERMITTED (429) over the limit, exact over all processes. */
export const createCheckLimits = ({ db, clock }: Pick<DocumentsParts, 'db' | 'clock'>) => {
  const take = async (subject: string, perMinute: number): Promise<void> => {
    const at = clock.now();
    const counted = await countCall(db, { subject, limit: perMinute, windowMs: 60_000, at });
    if (counted.allowed) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((counted.again.getTime() - at.getTime()) / 1_000));
    throw new PortalError('CALL_NOT_PERMITTED', { message: 'Too many checks', retryAfterSeconds });
  };
  return {
    takeOf: ({ personalId }: ClientCaller) => take(`check:${personalId}`, checkLimits.perMinute),
    takeFrom: (address: string) => take(`check of everybody:${networkOf(address)}`, openCallLimits.checksPerMinute),
  };
};

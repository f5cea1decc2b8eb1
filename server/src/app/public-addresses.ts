import { documentId, openCallLimits } from '@pergamin/contract';
import type { FastifyRequest } from 'fastify';
import type { CallLimits, LimitedCall } from '#platform/http/call-limit.ts';

const opening: LimitedCall = { name: 'openPublicAddress', area: 'open', perMinute: openCallLimits.listsPerMinute };

interface Parts {
  readonly isPublic: (id: string) => Promise<boolean>;
  readonly limits: CallLimits;
}

/**
 * Whether an address `/public/…` is that of a public document; any other id is answered alike. When that cannot be told, in a flood or without a
 * database, the page is sent: its own calls say what is wrong.
 */
export const createPublicAddresses =
  ({ isPublic, limits }: Parts) =>
  async (id: string, request: FastifyRequest): Promise<boolean> => {
    const asked = documentId.safeParse(id);
    if (!asked.success) return false;
    try {
      limits.takeFrom(opening, request.ip);
      return await isPublic(asked.data);
    } catch (error) {
      request.log.warn({ err: error }, 'whether a public document exists could not be told');
      return true;
    }
  };

import { getLedger } from '@pergamin/contract';
import { call } from '#platform/api.ts';

/** Whose signatures the portal itself says to trust, as a tlog-policy; undefined when it cannot be asked. */
export const loadPortalKeys = async (): Promise<string | undefined> => {
  try {
    const { policy } = await call(getLedger, {});
    return policy === '' ? undefined : policy;
  } catch {
    return undefined;
  }
};

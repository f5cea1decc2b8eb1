import { localStorageKeys } from '@pergamin/contract';
import * as z from 'zod/mini';

const flag = z.object({ personalId: z.string(), version: z.string() });

/** Who accepted which version of the statute in this browser (C6). */
export type StatuteFlag = z.output<typeof flag>;

/** The flag only spares a wait: the server decides. */
export const findStatuteFlag = (): StatuteFlag | undefined => {
  try {
    const parsed = flag.safeParse(JSON.parse(localStorage.getItem(localStorageKeys.statute) ?? 'null'));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
};

/** C6: for one person and one version; another person or version is asked again. */
export const storeStatuteFlag = (accepted: StatuteFlag): void => localStorage.setItem(localStorageKeys.statute, JSON.stringify(accepted));

export const clearStatuteFlag = (): void => localStorage.removeItem(localStorageKeys.statute);

import { type AnswerOf, getLedger, pathOf } from '@pergamin/contract';
import { type Checkpoint, isSignedBy, MalformedError, parseCheckpoint, parseVerifierKey } from '@pergamin/ledger';
import * as z from 'zod/mini';

export type Register = AnswerOf<typeof getLedger>;

/** What this browser remembers of the register. */
export interface SeenRegister {
  readonly register: Register;
  readonly checkpoint: Checkpoint;
  /** Epoch milliseconds by this browser's clock; of what was remembered by a version of before, when the checkpoint was published. */
  readonly seenAt: number;
}

/** Attempts to compare that came to nothing, one after the other. Epoch milliseconds by this browser's clock. */
const attempts = z.object({ since: z.number(), count: z.int() });
export type FailedAttempts = z.output<typeof attempts>;

/** Not local storage, which has the statute flag and nothing else (B18); only where the connection is safe, as the browser wants it. */
const storeName = 'register';
const place = pathOf(getLedger, {});
/** No call: a name in the store. */
const failedPlace = `${place}/not-compared`;

const read = async (store: Cache, name: string): Promise<unknown> => (await store.match(name))?.json().catch(() => undefined);

/** The checkpoint of a register, with the signature of its own key. Undefined for one that is not, or has no entry yet. */
export const checkpointOf = ({ checkpoint: text, verifierKey, size }: Register): Checkpoint | undefined => {
  try {
    const checkpoint = parseCheckpoint(text);
    return size > 0 && checkpoint.size === size && isSignedBy(checkpoint, parseVerifierKey(verifierKey)) ? checkpoint : undefined;
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
};

/** Undefined where the browser keeps nothing. Rejects when it refuses to. */
export const openRegisterMemory = async () => {
  if (!('caches' in globalThis)) return undefined;
  const store = await caches.open(storeName);
  return {
    async recall(): Promise<SeenRegister | undefined> {
      const kept = await read(store, place);
      const register = getLedger.answer.safeParse(kept).data;
      const checkpoint = register === undefined ? undefined : checkpointOf(register);
      if (register === undefined || checkpoint === undefined) return undefined;
      const { seenAt } = z.object({ seenAt: z._default(z.number(), register.at) }).parse(kept);
      return { register, checkpoint, seenAt };
    },
    remember: (register: Register): Promise<void> => store.put(place, Response.json({ ...register, seenAt: Date.now() })),
    recallFailed: async (): Promise<FailedAttempts | undefined> => attempts.safeParse(await read(store, failedPlace)).data,
    rememberFailed: (failed: FailedAttempts): Promise<void> => store.put(failedPlace, Response.json(failed)),
    async forgetFailed(): Promise<void> {
      await store.delete(failedPlace);
    },
  };
};

export type RegisterMemory = NonNullable<Awaited<ReturnType<typeof openRegisterMemory>>>;

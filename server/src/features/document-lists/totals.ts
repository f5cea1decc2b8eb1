import { countDirect, type DirectList } from './lists.store.ts';

type Pool = Parameters<typeof countDirect>[0];

/** Lists remembered per process; more are forgotten, the longest unused first. */
const maxRemembered = 20_000;

export interface Totals {
  /** Undefined when it has to be counted first. May be of an older revision. */
  peek(list: DirectList): { revision: string; total: number } | undefined;
  /** Exact for the revision: counted once, then remembered until something is delivered to one of the client's principals. */
  get(list: DirectList, revision: string): Promise<number>;
}

export const createTotals = (pool: Pool): Totals => {
  const remembered = new Map<string, { revision: string; total: number }>();
  const keyOf = ({ kind, period, reader }: DirectList): string =>
    `${kind} ${period?.start} ${period?.end} ${reader.cif} ${reader.cif2 ?? ''}`;

  return {
    peek: (list) => remembered.get(keyOf(list)),
    async get(list, revision) {
      const key = keyOf(list);
      const known = remembered.get(key);
      remembered.delete(key);
      const entry = known?.revision === revision ? known : { revision, total: await countDirect(pool, list) };
      remembered.set(key, entry);
      if (remembered.size > maxRemembered) {
        const [oldest] = remembered.keys();
        if (oldest !== undefined) remembered.delete(oldest);
      }
      return entry.total;
    },
  };
};

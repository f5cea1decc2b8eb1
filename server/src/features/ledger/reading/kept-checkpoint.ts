import { parseVerifierKey } from '@pergamin/ledger';
import { findLog } from '#features/ledger/ledger.store.ts';
import { isSignedByLog } from '#features/ledger/signed-by-log.ts';
import { growEntries, isSameHead } from '#features/ledger/tip.ts';
import type { Db } from '#platform/database/schema.ts';
import { findPasted } from './pasted-checkpoint.ts';
import { findCheckpoint } from './reading.store.ts';

/**
 * What came of comparing a checkpoint that somebody kept with the entries of this log.
 * `PART`: the published tree continues it. `NOT_PART`: it has another root. `LARGER`: it has more entries than there are. `LOG_WRONG`: the entries
 * give its root, and not that of the published tree. Not compared: `OTHER_KEY`, it bears no signature by this log's key but others; `OTHER_LOG`, it
 * names another log; `NONE` and `SEVERAL` in the text; `NO_LOG`, nothing is published here.
 */
export type KeptVerdict = 'PART' | 'NOT_PART' | 'LARGER' | 'LOG_WRONG' | 'OTHER_KEY' | 'OTHER_LOG' | 'NONE' | 'SEVERAL' | 'NO_LOG';

export interface KeptComparison {
  readonly verdict: KeptVerdict;
  readonly kept: { readonly origin: string; readonly size: number; readonly isSigned: boolean } | null;
  readonly published: { readonly origin: string; readonly size: number; readonly at: Date } | null;
}

/** Reads the entries of the database, and none of the files; changes nothing. */
export const compareKept = async (db: Db, text: string): Promise<KeptComparison> => {
  const [row, log] = [await findCheckpoint(db), await findLog(db)];
  const published = row === undefined || log === undefined ? null : { origin: log.origin, size: row.size, at: row.at };
  const [pasted, another] = findPasted(text);
  if (pasted === undefined || another !== undefined) return { verdict: pasted === undefined ? 'NONE' : 'SEVERAL', kept: null, published };
  const { head, signed } = pasted;
  const kept = { origin: head.origin, size: head.size, isSigned: signed !== undefined };
  const tell = (verdict: KeptVerdict): KeptComparison => ({ verdict, kept, published });
  if (row === undefined || log === undefined) return tell('NO_LOG');
  if (head.origin !== log.origin) return tell('OTHER_LOG');
  if (signed !== undefined && !isSignedByLog(signed, parseVerifierKey(log.verifierKey))) return tell('OTHER_KEY');
  if (head.size > row.size) return tell('LARGER');
  const part = await growEntries(db, head.size);
  if (part === undefined) return tell('LOG_WRONG');
  if (!isSameHead(part, head)) return tell('NOT_PART');
  const whole = await growEntries(db, row.size, part);
  return tell(whole !== undefined && isSameHead(whole, row) ? 'PART' : 'LOG_WRONG');
};

import type { AnswerOf, calls, DocumentState } from '@pergamin/contract';
import { noHash } from '@pergamin/ledger';
import type { DocumentsParts } from '#features/documents/parts.ts';
import { hashOfMetadata, type LedgerFact } from '#features/ledger/ledger.door.ts';
import { listFacts } from '#features/documents/versions/facts.store.ts';
import { isTakenBack, listLater, type Version } from '#features/documents/versions/line.store.ts';
import { createLocalTime } from '#platform/clock/local-time.ts';
import type { Trx } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { destroyObjectKeys } from '#platform/encryption/keys.store.ts';
import { PortalError } from '#platform/http/errors.ts';
import { keptOf } from './life-history.ts';
import {
  refusalOfKeeping,
  refusalOfReason,
  refusalOfRetention,
  refusalOfState,
  type Occasion,
  type Refusal,
  type Standing,
} from './life.rules.ts';
import { changeKept, type KeptRow, lockKept, namesIn, signChanges } from './life.store.ts';
import { isContentInUse } from './removal.store.ts';

interface Wish {
  readonly to: DocumentState;
  readonly occasion: Occasion;
  readonly reason: string;
  readonly beforeRetention?: boolean | undefined;
}

/** The organisation changes what became of a document. Throws DOCUMENT_NOT_FOUND_ERROR for an unknown id. */
export type DocumentLife = ReturnType<typeof createDocumentLife>;

type Changed = AnswerOf<typeof calls.changeDocumentState>;

export const createDocumentLife = (parts: Pick<DocumentsParts, 'db' | 'rendering' | 'ledger' | 'clock' | 'settings'>) => {
  const { clock, settings } = parts;
  const { dayOf } = createLocalTime(settings.timeZone);
  const enter = createEntering(parts);

  const change = createChange(parts);

  const changeState = async (
    id: string,
    { to, occasion, reason, beforeRetention = false }: Wish,
    key: PublisherCaller,
  ): Promise<Changed> => {
    if (beforeRetention && !key.scopes.includes('documents:remove-early'))
      throw new PortalError('CALL_NOT_PERMITTED', { fields: { key: 'it lacks the scope documents:remove-early' } });
    return change(id, { key, reason }, async (trx, before) => {
      if (before.state === to) return before;
      const standing = await standingBefore(trx, before, to);
      refuse(refusalOfState(standing, { to, occasion, today: dayOf(clock.now()), isEarly: beforeRetention }));
      if (to === 'FORGOTTEN') refuse(refusalOfReason(reason, namesIn(before)));
      const after = await changeKept(trx, id, { state: to });
      if (to === 'FORGOTTEN') {
        await forgetContents(parts, { trx, document: before });
        await enter(trx, { id, event: 'FORGOTTEN', size: 0, owner: '', metadata: noHash });
      } else await enter(trx, { id, event: 'STATE_CHANGED' });
      return after;
    });
  };

  return {
    changeState: (id: string, { state, ...wish }: { state: DocumentState } & Omit<Wish, 'to' | 'occasion'>, key: PublisherCaller) =>
      changeState(id, { ...wish, to: state, occasion: 'status' }, key),

    forget: (id: string, wish: Omit<Wish, 'to' | 'occasion'>, key: PublisherCaller) =>
      changeState(id, { ...wish, to: 'FORGOTTEN', occasion: 'forgetting' }, key),

    hold: (id: string, { held, reason }: { held: boolean; reason: string }, key: PublisherCaller) =>
      change(id, { key, reason }, async (trx, before) => {
        if (before.legal_hold === held) return before;
        refuse(refusalOfKeeping(standingOf(before)));
        return changeKept(trx, id, { legal_hold: held });
      }),

    retain: (id: string, { until, reason }: { until: string | -1; reason?: string | undefined }, key: PublisherCaller) =>
      change(id, { key, reason }, async (trx, before) => {
        const day = until === -1 ? 'infinity' : until;
        if (before.retention_date === day) return before;
        refuse(refusalOfRetention(standingOf(before), { until: day, today: dayOf(clock.now()) }));
        const after = await changeKept(trx, id, { retention_date: day });
        await enter(trx, { id, event: 'RETENTION_EXTENDED', metadata: hashOfMetadata({ retentionDate: day }) });
        return after;
      }),
  };
};

/** Of two changes of one document the second waits, and finds what the first one made of it. */
const createChange =
  ({ db, ledger }: Pick<DocumentsParts, 'db' | 'ledger'>) =>
  async (
    id: string,
    author: { readonly key: PublisherCaller; readonly reason: string | undefined },
    act: (trx: Trx, before: KeptRow) => Promise<KeptRow>,
  ): Promise<Changed> => {
    const changed = await db.transaction().execute(async (trx) => {
      const before = await lockKept(trx, id);
      await signChanges(trx, author);
      const after = await act(trx, before);
      return { ...keptOf(after), changed: after !== before };
    });
    if (changed.changed) ledger.coverSoon();
    return changed;
  };

/** What the rows do not hold: a trigger blanks these. Pages that are gone are drawn again if this transaction fails. */
const forgetContents = async (
  { rendering, ledger }: Pick<DocumentsParts, 'rendering' | 'ledger'>,
  { trx, document }: { readonly trx: Trx; readonly document: KeptRow },
): Promise<void> => {
  if (!(await isContentInUse(trx, document))) await rendering.forget([document.sha256]);
  await destroyObjectKeys(trx, document.object_key);
  await ledger.forget(trx, [document.id]);
};

/** With the change, and as the document is after it. */
const createEntering =
  ({ ledger }: Pick<DocumentsParts, 'ledger'>) =>
  async (trx: Trx, { id, ...changed }: { readonly id: string } & Pick<LedgerFact, 'event'> & Partial<LedgerFact>): Promise<void> => {
    const facts = await listFacts(trx, [id]);
    await ledger.enter(
      trx,
      facts.map((fact) => ({ ...fact, ...changed })),
    );
  };

const refuse = (refusal: Refusal | undefined): void => {
  if (refusal !== undefined) throw new PortalError(refusal.code, { fields: { [refusal.field]: refusal.problem } });
};

/** Later versions are locked after it, as a new version locks them. */
const standingBefore = async (trx: Trx, row: KeptRow, to: DocumentState): Promise<Standing> =>
  standingOf(row, row.successor === null ? [] : await listLater(trx, row.id, to === 'ACTIVE' ? 'locked' : undefined));

/** `later`: the versions after it; they decide on its state alone. */
const standingOf = (row: KeptRow, later: readonly Version[] = []): Standing => ({
  // It becomes OBSOLETE when the ledger covers its successor, and not before the batch of that is released.
  state: row.state === 'ACTIVE' && isReplacedBy(later) ? 'OBSOLETE' : row.state,
  legalHold: row.legal_hold,
  retentionDate: row.retention_date,
  isRemoved: row.removal_began_at !== null,
  isReplaced: isReplacedBy(later),
});

const isReplacedBy = (later: readonly Version[]): boolean => later.some((version) => !isTakenBack(version) && !isDraft(version));

const isDraft = ({ isPublished, isOfBatch }: Version): boolean => !isPublished && isOfBatch;

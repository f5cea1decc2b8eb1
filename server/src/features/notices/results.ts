import { enterLater, hashOfMetadata, type LedgerFact } from '#features/ledger/ledger.door.ts';
import type { Trx } from '#platform/database/schema.ts';
import { listResults, type Result } from './notices.store.ts';
import type { NoticesParts } from './parts.ts';

/** Of a forgotten document the ledger names no owner any more. */
const factOf = ({ id, kind, channel, noticeState, reason, ...document }: Result): LedgerFact => ({
  documentId: document.documentId,
  event: 'NOTIFIED',
  sha256: document.sha256,
  size: document.size,
  owner: document.state === 'FORGOTTEN' ? '' : document.owner,
  type: document.type,
  state: document.state,
  metadata: hashOfMetadata({
    notice: id,
    kind,
    result: noticeState,
    ...(channel === null ? {} : { channel }),
    ...(reason === null ? {} : { reason }),
  }),
});

/**
 * Enters what became of notices into the ledger, and tells the organisation's system of those that did not reach their client and are not sent
 * again; call it in the transaction that wrote so. One that was withdrawn with its document is no failure.
 */
export const recordResults = async (
  trx: Trx,
  ids: readonly string[],
  { webhooks, metrics, clock }: Pick<NoticesParts, 'webhooks' | 'metrics' | 'clock'>,
): Promise<void> => {
  if (ids.length === 0) return;
  const results = await listResults(trx, ids);
  await enterLater(trx, results.map(factOf));
  for (const { channel, noticeState, reason } of results)
    if (noticeState !== 'queued' && reason !== 'WITHDRAWN') metrics.countNotice(channel ?? 'none', noticeState);
  if (!webhooks.wants('notice.failed')) return;
  const createdOn = clock.now().getTime();
  await webhooks.tell(
    trx,
    results.flatMap(({ id, kind, channel, reason, receiver: personalId, documentId, uniqueName }) =>
      reason === null || reason === 'WITHDRAWN'
        ? []
        : {
            type: 'notice.failed' as const,
            createdOn,
            notice: { id, kind, channel, reason },
            document: { id: documentId, uniqueName },
            personalId,
          },
    ),
  );
};

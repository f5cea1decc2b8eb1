import type { Trx } from '#platform/database/schema.ts';
import { listFailures } from './notices.store.ts';
import type { NoticesParts } from './parts.ts';

/**
 * Tells the organisation's system of notices that did not reach their client and are not sent again; call it in the transaction that wrote so.
 * One that was withdrawn with its document is none of them.
 */
export const tellFailures = async (
  trx: Trx,
  ids: readonly string[],
  { webhooks, clock }: Pick<NoticesParts, 'webhooks' | 'clock'>,
): Promise<void> => {
  if (ids.length === 0 || !webhooks.wants('notice.failed')) return;
  const createdOn = clock.now().getTime();
  const failures = await listFailures(trx, ids);
  await webhooks.tell(
    trx,
    failures.flatMap(({ id, kind, channel, reason, receiver: personalId, document_id: documentId, unique_name: uniqueName }) =>
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

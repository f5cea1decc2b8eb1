import { batchPublication, calls, publishingLimits } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import { withUploadPairs } from '#platform/http/upload-pairs.ts';
import type { Batches } from './batches.service.ts';

interface Parts {
  readonly batches: Batches;
  readonly uploads: { readonly folder: string; readonly maxBytes: number };
}

const { maxDocumentsPerPart: maxPairs, maxPartBytes: maxBytesOfAll } = publishingLimits;

export const batchRoutes = ({ batches, uploads }: Parts): readonly Route[] => [
  route(calls.openBatch, async ({ body, caller }) => batches.open(body.name, caller)),
  route(calls.addToBatch, async ({ params, request, caller }) => {
    // Before the files are received.
    await batches.requireOpen(params.id);
    return withUploadPairs(request, { ...uploads, maxPairs, maxBytesOfAll, schema: batchPublication }, (pairs) =>
      batches.add(params.id, pairs, caller),
    );
  }),
  route(calls.getBatch, async ({ params }) => batches.get(params.id)),
  route(calls.listBatches, async ({ query }) => batches.list(query)),
  route(calls.commitBatch, async ({ params, body, caller }) => batches.commit(params.id, body, caller)),
  route(calls.discardBatch, async ({ params, caller }) => batches.discard(params.id, caller)),
  route(calls.withdrawBatch, async ({ params, body, caller }) => batches.withdraw(params.id, body.reason, caller)),
  route(calls.getBatchSightings, async ({ params }) => ({ body: await batches.sightings(params.id), contentType: 'application/x-ndjson' })),
  route(calls.getBatchReport, async ({ params }) => ({ body: await batches.report(params.id), contentType: 'application/x-ndjson' })),
];

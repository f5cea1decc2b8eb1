import { batches } from './batch.ts';
import { deliveryReport } from './delivery-report.ts';
import { drags } from './drag.ts';
import { encryption } from './encryption.ts';
import { initialScripts } from './initial-js.ts';
import { firstPaints } from './lcp.ts';
import { listTable } from './list-table.ts';
import { interactions } from './interactions.ts';
import { ledgerAppends } from './ledger-appends.ts';
import { ledgerProof } from './ledger-proof.ts';
import { ledgerPublishing } from './ledger-publishing.ts';
import { lists, publicLists, searches, values } from './lists.ts';
import { manyClients } from './many-clients.ts';
import { measure, type Outcome } from './measure.ts';
import type { Promised } from './promise.ts';
import { receivedList, sessionCheck } from './received-list.ts';
import { releaseRows } from './release-rows.ts';
import { renderBytes, renderPage } from './render-page.ts';
import { renderingAndLists } from './rendering-and-lists.ts';
import { renderingFirstPage } from './rendering-first-page.ts';
import { signIns } from './sign-ins.ts';
import { start } from './start.ts';
import { tableOf } from './table.ts';
import { tenMillions } from './ten-million.ts';
import { uploads } from './upload.ts';
import { verifications } from './verification.ts';
import { viewerOpen } from './viewer-open.ts';
import { zip } from './zip.ts';

/* `npm run bench [name…]`: measures what the product promises in numbers, and fails when one is not kept. `lists` is all that begins so. */
const all: readonly Promised[] = [
  receivedList,
  sessionCheck,
  ...lists,
  ...values,
  ...publicLists,
  ...searches,
  ...releaseRows,
  ...signIns,
  renderPage,
  ...viewerOpen,
  renderBytes,
  ...renderingAndLists,
  renderingFirstPage,
  ...drags,
  ...listTable,
  ...interactions,
  ...initialScripts,
  ...firstPaints,
  ...verifications,
  ledgerProof,
  ...ledgerAppends,
  ledgerPublishing,
  zip,
  deliveryReport,
  ...uploads,
  ...batches,
  manyClients,
  ...tenMillions,
  ...encryption,
  ...start,
];

const wanted = process.argv.slice(2);
const isMeant = (name: string, word: string): boolean => name === word || (/^[-:]/.test(name.slice(word.length)) && name.startsWith(word));
const unknown = wanted.filter((word) => !all.some(({ name }) => isMeant(name, word)));
if (unknown.length > 0) {
  process.stderr.write(`no promise is named ${unknown.join(', ')}; there are ${all.map(({ name }) => name).join(', ')}\n`);
  process.exitCode = 2;
} else {
  const outcomes: Outcome[] = [];
  for (const promised of all.filter(({ name }) => wanted.length === 0 || wanted.some((word) => isMeant(name, word)))) {
    process.stderr.write(`measuring ${promised.name} …\n`);
    const outcome = await measure(promised);
    outcomes.push(outcome);
    process.stderr.write(`${tableOf([outcome]).split('\n')[1]}\n`);
  }
  process.stdout.write(`${tableOf(outcomes)}\n`);
  process.exitCode = outcomes.every(({ isKept }) => isKept) ? 0 : 1;
}

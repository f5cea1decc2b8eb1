import { join } from 'node:path';
import { createIdentity } from '@pergamin/identity';
import { createAccounts } from '#features/accounts/accounts.door.ts';
import { createDocumentLists } from '#features/document-lists/document-lists.door.ts';
import { createDocumentSearch } from '#features/document-search/document-search.door.ts';
import { createDocuments, readLastScrub } from '#features/documents/documents.door.ts';
import { createExports } from '#features/exports/exports.door.ts';
import { createLedger, createLedgerReader } from '#features/ledger/ledger.door.ts';
import { createMetadata } from '#features/metadata/metadata.door.ts';
import { createNotices } from '#features/notices/notices.door.ts';
import { createNotifications } from '#features/notifications/notifications.door.ts';
import { createPublishing } from '#features/publishing/publishing.door.ts';
import { createRendering } from '#features/rendering/rendering.door.ts';
import { createSavedViews } from '#features/saved-views/saved-views.door.ts';
import { createSentDocuments } from '#features/sent-documents/sent-documents.door.ts';
import { createSignIn } from '#features/sign-in/sign-in.door.ts';
import { createStatutes } from '#features/statute/statute.door.ts';
import { createWebhooks } from '#features/webhooks/webhooks.door.ts';
import { isDatabaseUnavailable } from '#platform/database/unavailable.ts';
import { openPolicy } from '#platform/witnesses/open-policy.ts';
import { embeddedService } from './mount-identity.ts';
import type { Platform } from './platform.ts';
import { product } from './product.ts';

export type People = Awaited<ReturnType<typeof openPeople>>;

/** The rooms of clients: sign-in, accounts, notices and notifications. */
export const openPeople = async (platform: Platform) => {
  const { db, pool, database, settings, clock, log, metrics, jobs, sentences, mail, branding } = platform;
  const running = { clock, log };
  const identity = await createIdentity({
    db,
    pool,
    settings,
    clock,
    log,
    isUnavailable: isDatabaseUnavailable,
    mail,
    // Two rooms depend on each other, so the reference is resolved at the call.
    people: {
      find: (personalId) => accounts.findContact(personalId),
      endSessions: (personalId) => signIn.endSessionsOf(personalId, { reason: 'PASSWORD_CHANGED' }),
    },
    texts: sentences,
    brand: { languages: branding.languages, styles: branding.theme?.css, logo: branding.logo },
  });
  const webhooks = createWebhooks({ db, jobs, settings, metrics, running });
  const notices = createNotices({ db, jobs, post: mail.post, webhooks, sentences, settings, metrics, running });
  const notifications = createNotifications({ db, notices, clock, log });
  const accounts = createAccounts({
    db,
    passwords: identity.accounts,
    endSessions: (personalId, options) => signIn.endSessionsOf(personalId, options),
    post: { mail, notifications, languages: branding.languages.map(({ code }) => code) },
    settings,
    running,
  });
  const services = [embeddedService(identity, settings.publicUrl)];
  const signIn = createSignIn({ database, settings, metrics, clock, log, accounts, services });
  return { identity, webhooks, notices, notifications, accounts, signIn };
};

export type DocumentRooms = Awaited<ReturnType<typeof openDocumentRooms>>;

/** The rooms of documents: published, listed, searched, shown, sent. */
export const openDocumentRooms = async (platform: Platform, { identity, webhooks, accounts, notifications }: People) => {
  const { db, readPool, settings, clock, log, metrics, objects, pdf, renditions, jobs, sentences } = platform;
  const running = { clock, log };
  const policy = await openPolicy(settings.ledgerPolicyFile);
  const writing = createLedger({
    db,
    // Two rooms depend on each other, so the reference is resolved at the call.
    covered: (trx, published) => publishing.covered(trx, published),
    policy,
    settings,
    running: { ...running, metrics },
  });
  const ledger = { ...writing, ...createLedgerReader({ db, settings, halted: () => writing.halted(), policy, log, objects }) };
  const metadata = createMetadata({ db, settings });
  await metadata.ensureMarker();
  const rendering = createRendering({ objects, pdf, renditions, jobs, log });
  const documents = createDocuments({
    db,
    objects,
    ledger,
    rendering,
    metadata,
    notifications,
    webhooks,
    settings,
    running,
  });
  metrics.observeScrub(() => readLastScrub(db));
  const lists = createDocumentLists({ pool: readPool, metadata, settings });
  const search = createDocumentSearch({ db, pool: readPool, objects, pdf, renditions, metadata, log });
  const savedViews = createSavedViews({ db, metadata });
  const rooms = { ownFiles: documents.ownFiles, listIds: lists.listIds, metadata, ledger };
  const exports = createExports({
    db,
    rooms,
    sentences,
    settings: { ...settings, verifyPage: join(product.webClient, 'verify.html') },
    running,
  });
  const statutes = createStatutes({ db, objects, rendering, clock, log });
  const sentDocuments = createSentDocuments({ db, stores: { objects, pdf }, ledger, rendering, webhooks, settings, running });
  const publishing = createPublishing({
    db,
    stores: { objects, pdf },
    rooms: { metadata, statutes, accounts, notifications, rendering, webhooks, ledger },
    removeSignInAccounts: (personalIds) => identity.accounts.remove(personalIds),
    jobs,
    settings,
    running: { ...running, metrics },
  });
  return { ledger, metadata, rendering, documents, lists, search, savedViews, exports, statutes, sentDocuments, publishing };
};

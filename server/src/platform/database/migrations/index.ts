import type { Migration } from 'kysely/migration';
import { first } from './0001-first.ts';
import { metadataDefinitions } from './0002-metadata-definitions.ts';
import { refreshAndServices } from './0003-refresh-and-services.ts';
import { mailOutbox } from './0004-mail-outbox.ts';
import { clientLanguage } from './0005-client-language.ts';
import { notifications } from './0006-notifications.ts';
import { listsAtAnySize } from './0007-lists-at-any-size.ts';
import { savedViews } from './0008-saved-views.ts';
import { passingRows } from './0009-passing-rows.ts';
import { sessionChanges } from './0010-session-changes.ts';
import { sentDocuments } from './0011-sent-documents.ts';
import { allKeysOfLists } from './0012-all-keys-of-lists.ts';
import { lookedAtPages } from './0013-looked-at-pages.ts';
import { verification } from './0014-verification.ts';
import { notices } from './0015-notices.ts';
import { successors } from './0016-successors.ts';
import { textWithAnyOrder } from './0017-text-with-any-order.ts';
import { listsInOrder } from './0018-lists-in-order.ts';
import { earlyReports } from './0019-early-reports.ts';
import { fewerLooks } from './0020-fewer-looks.ts';
import { noClearDemoSecrets } from './0021-no-clear-demo-secrets.ts';
import { noLaterDemonstration } from './0022-no-later-demonstration.ts';
import { plainLists } from './0023-plain-lists.ts';

/** In order of their names. A migration that has been released is never changed. */
export const migrations: Record<string, Migration> = {
  '0001-first': first,
  '0002-metadata-definitions': metadataDefinitions,
  '0003-refresh-and-services': refreshAndServices,
  '0004-mail-outbox': mailOutbox,
  '0005-client-language': clientLanguage,
  '0006-notifications': notifications,
  '0007-lists-at-any-size': listsAtAnySize,
  '0008-saved-views': savedViews,
  '0009-passing-rows': passingRows,
  '0010-session-changes': sessionChanges,
  '0011-sent-documents': sentDocuments,
  '0012-all-keys-of-lists': allKeysOfLists,
  '0013-looked-at-pages': lookedAtPages,
  '0014-verification': verification,
  '0015-notices': notices,
  '0016-successors': successors,
  '0017-text-with-any-order': textWithAnyOrder,
  '0018-lists-in-order': listsInOrder,
  '0019-early-reports': earlyReports,
  '0020-fewer-looks': fewerLooks,
  '0021-no-clear-demo-secrets': noClearDemoSecrets,
  '0022-no-later-demonstration': noLaterDemonstration,
  '0023-plain-lists': plainLists,
};

import type { Migration } from 'kysely/migration';
import { baseline } from './0001-baseline.ts';
import { metadataDefinitions } from './0002-metadata-definitions.ts';
import { stemsOfTexts } from './0003-stems-of-texts.ts';
import { pagesNotShown } from './0004-pages-not-shown.ts';
import { lifeOfPublisherKeys } from './0005-life-of-publisher-keys.ts';
import { lifeOfDocuments } from './0006-life-of-documents.ts';
import { batches } from './0007-batches.ts';
import { proofOfDelivery } from './0008-proof-of-delivery.ts';
import { webhookEvents } from './0009-webhook-events.ts';
import { changesByTheOrganisation } from './0010-changes-by-the-organisation.ts';
import { ledger } from './0011-ledger.ts';
import { sealsOfDocuments } from './0012-seals-of-documents.ts';
import { encryption } from './0014-encryption.ts';
import { scrubRounds } from './0015-scrub-rounds.ts';
import { objects } from './0016-objects.ts';
import { statementsOfPublications } from './0017-statements-of-publications.ts';
import { ledgerAdoptions } from './0018-ledger-adoptions.ts';
import { nothingLeftOfAPerson } from './0019-nothing-left-of-a-person.ts';
import { locksOfObjects } from './0020-locks-of-objects.ts';
import { mailWaiting } from './0022-mail-waiting.ts';
import { quietTimeOfAddresses } from './0023-quiet-time-of-addresses.ts';
import { orderAndSpelling } from './0024-order-and-spelling.ts';
import { withdrawals } from './0026-withdrawals.ts';

/** In order of their names. A migration that has been released is never changed, nor is a file that it reads: later ones add. */
export const migrations: Record<string, Migration> = {
  '0001-baseline': baseline,
  '0002-metadata-definitions': metadataDefinitions,
  '0003-stems-of-texts': stemsOfTexts,
  '0004-pages-not-shown': pagesNotShown,
  '0005-life-of-publisher-keys': lifeOfPublisherKeys,
  '0006-life-of-documents': lifeOfDocuments,
  '0007-batches': batches,
  '0008-proof-of-delivery': proofOfDelivery,
  '0009-webhook-events': webhookEvents,
  '0010-changes-by-the-organisation': changesByTheOrganisation,
  '0011-ledger': ledger,
  '0012-seals-of-documents': sealsOfDocuments,
  '0014-encryption': encryption,
  '0015-scrub-rounds': scrubRounds,
  '0016-objects': objects,
  '0017-statements-of-publications': statementsOfPublications,
  '0018-ledger-adoptions': ledgerAdoptions,
  '0019-nothing-left-of-a-person': nothingLeftOfAPerson,
  '0020-locks-of-objects': locksOfObjects,
  '0022-mail-waiting': mailWaiting,
  '0023-quiet-time-of-addresses': quietTimeOfAddresses,
  '0024-order-and-spelling': orderAndSpelling,
  '0026-withdrawals': withdrawals,
};

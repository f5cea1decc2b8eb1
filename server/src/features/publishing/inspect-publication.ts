import { activeContent, appearanceFlags, type DocumentSeal, type PdfFlag } from '@pergamin/contract';
import type { DocumentKind } from '#platform/database/schema.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { inspectUpload } from '#platform/pdf/inspect-upload.ts';
import type { InspectionJob, PdfInspection } from '#platform/pdf/pdf-pool.ts';
import type { SealPolicy, SealSettings } from '#platform/settings/signature-settings.ts';
import { acceptSeal } from './accept-seal.ts';
import type { PublishingParts } from './publishing.service.ts';

/** `seal`: null where there is none, or none is looked at. */
export type InspectedPublication = Omit<PdfInspection, 'seal'> & { readonly seal: DocumentSeal | null };

interface Wanted extends Pick<InspectionJob, 'path' | 'priority'> {
  readonly kind?: DocumentKind;
  readonly caller: PublisherCaller;
}

/** Links are not refused: ordinary letters of a bank hold them. */
const refusedOfPublishers = activeContent.filter((flag) => flag !== 'OUTSIDE_LINK');

const isAppearance = (flag: PdfFlag): boolean => appearanceFlags.some((own) => own === flag);

/** The documents of a demonstration are not sealed. */
export const sealPolicyOf = (
  { policy }: SealSettings,
  { kind, demo }: { readonly kind: DocumentKind | undefined; readonly demo: boolean },
): SealPolicy => (demo || kind === undefined ? undefined : policy[kind]) ?? 'none';

/** Throws as `inspectUpload`, by the settings for what is published. Of a `kind` of documents whose seals are looked at: with the seal. */
export const inspectPublication = async (
  { stores, settings, clock }: Pick<PublishingParts, 'stores' | 'settings' | 'clock'>,
  { path, kind, caller: { keyId, demo }, priority = 'waiting' }: Wanted,
): Promise<InspectedPublication> => {
  const { publishContent: content, publishForeignData, seals } = settings;
  const policy = sealPolicyOf(seals, { kind, demo });
  const inspection = await inspectUpload(stores.pdf, {
    path,
    priority,
    client: `publisher ${keyId}`,
    engineOf: keyId,
    refuse: content === 'refuse' ? refusedOfPublishers : [],
    mayHoldForeignData: publishForeignData === 'accept',
    findsHidden: true,
    seal: policy === 'none' ? undefined : { anchors: seals.anchors, now: clock.now().getTime() },
  });
  const flags = content === 'accept' ? inspection.flags.filter(isAppearance) : inspection.flags;
  return { ...inspection, flags, seal: acceptSeal(inspection.seal, policy) };
};

import { activeContent, appearanceFlags, type PdfFlag } from '@pergamin/contract';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { inspectUpload } from '#platform/pdf/inspect-upload.ts';
import type { InspectionJob, PdfInspection } from '#platform/pdf/pdf-pool.ts';
import type { PublishingParts } from './publishing.service.ts';

/** Links are not refused: ordinary letters of a bank hold them. */
const refusedOfPublishers = activeContent.filter((flag) => flag !== 'OUTSIDE_LINK');

const isAppearance = (flag: PdfFlag): boolean => appearanceFlags.some((own) => own === flag);

/** Throws as `inspectUpload`, by the settings for what is published. */
export const inspectPublication = async (
  { stores, settings }: Pick<PublishingParts, 'stores' | 'settings'>,
  { path, caller: { keyId }, priority = 'waiting' }: Pick<InspectionJob, 'path' | 'priority'> & { readonly caller: PublisherCaller },
): Promise<PdfInspection> => {
  const { publishContent: content, publishForeignData } = settings;
  const inspection = await inspectUpload(stores.pdf, {
    path,
    priority,
    client: `publisher ${keyId}`,
    engineOf: keyId,
    refuse: content === 'refuse' ? refusedOfPublishers : [],
    mayHoldForeignData: publishForeignData === 'accept',
  });
  return content === 'accept' ? { ...inspection, flags: inspection.flags.filter(isAppearance) } : inspection;
};

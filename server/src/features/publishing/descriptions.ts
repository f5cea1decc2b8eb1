import type { Publication } from '@pergamin/contract';
import { assertListed } from '#features/documents/documents.door.ts';
import type { PublicationValues } from '#features/metadata/metadata.door.ts';
import type { PublisherCaller } from '#platform/http/caller.ts';
import { invalidField } from '#platform/http/errors.ts';
import { assertRecipients } from './publishing.rules.ts';
import type { PublishingParts } from './publishing.service.ts';

const ownersOf = ({ cif, cif2 }: Publication): string[] => [cif, cif2].filter((owner) => owner !== undefined);

/**
 * A reader of these descriptions, which gives their metadata in their stored form. The reader throws what is wrong with one itself: VALIDATION_ERROR,
 * INVALID_DOC_TYPE, DOCUMENT_METADATA_ERROR.
 */
export const openDescriptions = async (
  { rooms, settings }: Pick<PublishingParts, 'rooms' | 'settings'>,
  descriptions: readonly Publication[],
  caller: PublisherCaller,
): Promise<(description: Publication) => PublicationValues> => {
  const readMetadata = await rooms.metadata.openReader();
  const unknownOwners = new Set(await rooms.accounts.findUnknownCifs([...new Set(descriptions.flatMap(ownersOf))]));
  return (description) => {
    assertRecipients(description);
    // A real publication cannot be backdated: a durable medium vouches for the moment of delivery.
    if (description.publishedAt !== undefined && !caller.demo) throw invalidField('publishedAt', 'only for demonstration data');
    const values = readMetadata({ ...description.metadata, FILE_NAME: description.fileName });
    assertListed({ type: description.type, marker: values.columns.marker }, settings.statementMarkerKey);
    for (const [field, owner] of [['CIF', description.cif] as const, ['CIF2', description.cif2] as const])
      if (owner !== undefined && unknownOwners.has(owner)) throw invalidField(field, 'no client has this customer number');
    return values;
  };
};

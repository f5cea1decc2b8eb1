import type { DocumentsParts } from '#features/documents/parts.ts';

/** Keys of metadata; a document that carries one is downloaded instead of shown. */
export type ListIgnoreMarkers = () => Promise<string[]>;

/** Matched by id and by name (E9): metadata maps hold one of the two, so both are sent. */
export const createIgnoreMarkers =
  ({ metadata, settings }: Pick<DocumentsParts, 'metadata' | 'settings'>): ListIgnoreMarkers =>
  async () => {
    const definitions = await metadata.definitions();
    const names = settings.ignoreMarkers.flatMap((marker) => {
      const definition = definitions.find(marker);
      return definition === undefined ? [marker] : [definition.id, ...(definition.number === null ? [] : [String(definition.number)])];
    });
    return [...new Set(names)];
  };

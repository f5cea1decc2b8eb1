import type { Metadata } from '#features/metadata/metadata.door.ts';

/** Keys of metadata; a document that carries one is downloaded instead of shown. */
export type ListIgnoreMarkers = () => Promise<string[]>;

/** Matched by id and by name (E9): metadata maps hold one of the two, so both are told. */
export const createIgnoreMarkers =
  ({ metadata, markers }: { readonly metadata: Pick<Metadata, 'definitions'>; readonly markers: readonly string[] }): ListIgnoreMarkers =>
  async () => {
    const definitions = await metadata.definitions();
    const names = markers.flatMap((marker) => {
      const definition = definitions.find(marker);
      return definition === undefined ? [marker] : [definition.id, ...(definition.number === null ? [] : [String(definition.number)])];
    });
    return [...new Set(names)];
  };

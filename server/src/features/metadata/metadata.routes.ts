import { calls, type MetadataDefinition } from '@pergamin/contract';
import { route, type Route } from '#platform/http/route.ts';
import { type Definition, isShown } from './metadata-definitions.ts';
import type { Metadata } from './metadata.service.ts';

const shown = ({ visible: _, ...definition }: Definition): MetadataDefinition => definition;

export const metadataRoutes = (metadata: Metadata): readonly Route[] => [
  route(calls.listOwnMetadata, async () => {
    const { all } = await metadata.definitions();
    return { items: all.filter(isShown).map(shown) };
  }),

  route(calls.mapOwnMetadata, async () => {
    const { all, markerKey } = await metadata.definitions();
    const used = all.filter((definition) => isShown(definition) && definition.screens.length > 0);
    return { items: used.map((definition) => ({ ...shown(definition), key: definition.id })), statementMarker: markerKey };
  }),

  // A public document has no owner, so that own values do not exist for everybody.
  route(calls.listPublicMetadata, async () => {
    const { all } = await metadata.definitions();
    return { items: all.filter(({ visible }) => visible === 'yes').map(shown) };
  }),

  route(calls.listDictionaries, async () => ({ items: [...(await metadata.definitions()).dictionaries] })),
];

import { type SavedFilter, type SavedViewContent, unreadFilter } from '@pergamin/contract';
import type { MetadataDefinitions } from '#features/metadata/metadata.door.ts';
import { invalidField } from '#platform/http/errors.ts';

const isShown = (definitions: MetadataDefinitions, key: string): boolean => definitions.findShown(key) !== undefined;

const isUnreadFilter = (filter: SavedFilter): boolean =>
  filter.key === unreadFilter.key && 'value' in filter && filter.value === unreadFilter.value;

const canFilter = (definitions: MetadataDefinitions, filter: SavedFilter): boolean =>
  isUnreadFilter(filter) || isShown(definitions, filter.key);

/** Throws VALIDATION_ERROR for keys that a client may not ask for, and for ranges that end before they start. */
export const assertContent = (definitions: MetadataDefinitions, { filters, sort, columns }: SavedViewContent): void => {
  for (const [index, filter] of filters.entries()) {
    if (!canFilter(definitions, filter)) throw invalidField(`content.filters.${index}.key`, 'not a key that can be asked for');
    if ('from' in filter && filter.from !== null && filter.to !== null && filter.to < filter.from)
      throw invalidField(`content.filters.${index}.to`, 'before its start');
  }
  for (const [index, { by }] of sort.entries())
    if (!isShown(definitions, by)) throw invalidField(`content.sort.${index}.by`, 'not a key that can be sorted by');
  for (const [index, { key }] of columns.entries())
    if (!isShown(definitions, key)) throw invalidField(`content.columns.${index}.key`, 'not a key that can be shown');
};

/** A view opens without what is no more (E5). */
export const withoutGoneKeys = (definitions: MetadataDefinitions, content: SavedViewContent): SavedViewContent => ({
  ...content,
  filters: content.filters.filter((filter) => canFilter(definitions, filter)),
  sort: content.sort.filter(({ by }) => isShown(definitions, by)),
  columns: content.columns.filter(({ key }) => isShown(definitions, key)),
});

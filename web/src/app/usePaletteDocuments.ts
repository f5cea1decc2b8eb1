import { listIgnoreMarkers, listLimits, listOwnDocuments, type DocumentQuery, type DocumentRow } from '@pergamin/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PaletteItem } from '#kit/overlays/Palette.tsx';
import { lastingCallQuery, callQuery } from '#platform/call.queries.ts';
import { dayText } from '#platform/dates.ts';
import { checksumOf, publishedAt, titleOf, type MetadataTexts } from '#platform/metadata.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import { findMatch } from './palette-match.ts';
import { newestDocuments } from './newest-documents.ts';

const mostFound = 6;
const offered = newestDocuments(3);

export interface PaletteDocuments {
  readonly items: readonly PaletteItem[];
  readonly find: (id: string) => DocumentRow | undefined;
  readonly ignoreMarkers: readonly string[];
  readonly state: 'ready' | 'busy' | 'failed';
}

/** The documents that the server finds by a text; without one, the newest. */
export function usePaletteDocuments(query: string): PaletteDocuments {
  const text = query.trim();
  const settled = useSettled(text, listLimits.searchDebounceMs);
  const { texts } = useMetadata();
  const body: DocumentQuery = settled === '' ? offered : { ...offered, text: settled.slice(0, listLimits.textMaxLength), size: mostFound };
  const { data, isError, isFetching } = useQuery({ ...callQuery(listOwnDocuments, { body }), placeholderData: keepPreviousData });
  const markers = useQuery(lastingCallQuery(listIgnoreMarkers, {}));
  const waiting = settled !== text || isFetching;
  // What was found for another text must not be taken for what this one finds.
  const rows =
    waiting && text !== '' ? (data?.items ?? []).filter((row) => findMatch(titleOf(row), text) !== undefined) : (data?.items ?? []);
  return {
    items: rows.map((row) => itemOf(row, texts, text)),
    find: (id) => rows.find((row) => row.id === id),
    ignoreMarkers: markers.data ?? [],
    state: waiting ? 'busy' : isError ? 'failed' : 'ready',
  };
}

const itemOf = (row: DocumentRow, texts: MetadataTexts, query: string): PaletteItem => {
  const { id, metadata } = row;
  const label = titleOf(row);
  const details = [texts.textOf('PRIV_CASE_NUMBER', metadata['PRIV_CASE_NUMBER']), dayText(publishedAt(row))];
  return {
    id: `document ${id}`,
    label,
    marked: findMatch(label, query)?.ranges ?? [],
    detail: details.filter((detail) => detail !== '').join(' · '),
    face: { sha256: checksumOf(row) ?? '' },
  };
};

/** A text once typing has paused; empty at once when it is cleared. */
function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), text === '' ? 0 : afterMs);
    return () => clearTimeout(timer);
  }, [text, afterMs]);
  return settled;
}

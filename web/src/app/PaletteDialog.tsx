import { listIgnoreMarkers, listLimits, listOwnDocuments, type DocumentQuery, type DocumentRow } from '@pergamin/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Desktop } from '#desktop/desktop.store.ts';
import { opensByDownload } from '#lists/row-rules.ts';
import { Palette, type PaletteGroup, type PaletteItem } from '#kit/overlays/Palette.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { currentAppearance } from '#platform/appearance.ts';
import { callQuery, lastingCallQuery } from '#platform/call.queries.ts';
import { chooseAppearance } from '#platform/choose-appearance.ts';
import { dayText } from '#platform/dates.ts';
import { downloadOwnDocument } from '#platform/download.ts';
import { t } from '#platform/language.ts';
import { checksumOf, fileNameOf, publishedAt, titleOf, type MetadataTexts } from '#platform/metadata.ts';
import { useMetadata } from '#platform/metadata.queries.ts';
import type { DeskDialogsProps } from './DeskDialogs.tsx';
import { accountMenu, allowedItems, flatItems, mainMenu, type MenuItem, type Right } from './menu.ts';
import { newestDocuments } from './newest-documents.ts';
import { findMatch } from './palette-match.ts';

type PaletteDialogProps = Pick<DeskDialogsProps, 'desktop' | 'rights' | 'onClose' | 'onAction'>;

/** One field for the open windows, the documents on the server and everything that the menus can do. */
export function PaletteDialog({ desktop, rights, onClose, onAction }: PaletteDialogProps) {
  const [query, setQuery] = useState('');
  const documents = usePaletteDocuments(query);
  const open = desktop.getState().windows.map((window) => ({
    id: `window ${window.id}`,
    label: desktop.titleOf(window),
    face: { icon: desktop.kindOf(window.kind).icon },
  }));
  const asked = query.trim() !== '';

  const groups: readonly PaletteGroup[] = [
    {
      id: 'windows',
      label: t('windows.openWindows'),
      items: found(open, query),
    },
    { id: 'documents', label: asked ? t('palette.documents') : t('dashboard.recent'), items: documents.items },
    { id: 'actions', label: t('palette.actions'), items: found(paletteActions(rights, desktop), query) },
  ];
  const handleChoose = (chosen: string, { maximised }: { readonly maximised: boolean }) => {
    const [what = '', id = ''] = chosen.split(/ (.*)/s);
    const document = what === 'document' ? documents.find(id) : undefined;
    if (what === 'action') runPaletteAction(id, onAction);
    else if (document !== undefined && opensByDownload(document, documents.ignoreMarkers))
      void downloadOwnDocument({ id, fileName: fileNameOf(document) });
    else {
      if (what === 'window') desktop.focus(id);
      const windowId = document === undefined ? id : desktop.open('document', { id, title: titleOf(document) });
      if (maximised) desktop.maximise(windowId);
    }
  };
  return <Palette query={query} onQuery={setQuery} groups={groups} note={documents.note} onChoose={handleChoose} onClose={onClose} />;
}

/** What a query leaves of the items, the best matches first, each with its letters marked. */
const found = <Item extends { readonly label: string }>(items: readonly Item[], query: string) =>
  items
    .flatMap((item) => {
      const match = findMatch(item.label, query);
      return match === undefined ? [] : [{ item: { ...item, marked: match.ranges }, rank: match.rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);

const mostFound = 6;
const offered = newestDocuments(3);

/** The documents that the server finds by a text; without one, the newest. */
function usePaletteDocuments(query: string) {
  const text = query.trim();
  const settled = useSettled(text, listLimits.searchDebounceMs);
  const { texts } = useMetadata();
  const body: DocumentQuery = settled === '' ? offered : { ...offered, text: settled.slice(0, listLimits.textMaxLength), size: mostFound };
  const { data, isError, isFetching } = useQuery({ ...callQuery(listOwnDocuments, { body }), placeholderData: keepPreviousData });
  const markers = useQuery(lastingCallQuery(listIgnoreMarkers, {}));
  const waiting = settled !== text || isFetching;
  // What was found for another text must not be taken for what this one finds.
  const rows = (data?.items ?? []).filter((row) => !waiting || text === '' || findMatch(titleOf(row), text) !== undefined);
  return {
    items: rows.map((row) => itemOf(row, texts, text)),
    find: (id: string) => rows.find((row) => row.id === id),
    ignoreMarkers: markers.data ?? [],
    note: waiting ? <ProgressLabel text={t('palette.searching')} /> : isError ? t('palette.searchFailed') : undefined,
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

type Action = Pick<MenuItem, 'id' | 'label' | 'icon' | 'keys'>;

/** Everything the menus can do, and what has no menu: tidy windows, another theme, other rows. */
const paletteActions = (rights: ReadonlySet<Right>, desktop: Desktop): readonly PaletteItem[] => {
  const menus = flatItems(allowedItems([...mainMenu, ...accountMenu], rights));
  const last = menus.findIndex(({ id }) => id === 'logout');
  const actions: readonly Action[] = [...menus.slice(0, last), ...furtherActions(desktop), ...menus.slice(last)];
  return actions.map(({ id, label, icon, keys }) => ({ id: `action ${id}`, label: t(label), face: { icon }, keys }));
};

/** Does what an action of the palette says: `onAction` knows those of the menus. */
const runPaletteAction = (id: string, onAction: (id: string) => void): void => {
  const look = lookActions.find((action) => action.id === id);
  if (look === undefined) onAction(id);
  else chooseAppearance(look.of, look.choice);
};

const lookActions = (
  [
    { of: 'theme', choice: 'light', label: 'palette.light', icon: 'sun' },
    { of: 'theme', choice: 'dark', label: 'palette.dark', icon: 'moon' },
    { of: 'theme', choice: 'system', label: 'palette.system', icon: 'monitor' },
    { of: 'density', choice: 'comfortable', label: 'palette.comfortable', icon: 'rows' },
    { of: 'density', choice: 'compact', label: 'palette.compact', icon: 'rows' },
    { of: 'arrangement', choice: 'windows', label: 'palette.floating', icon: 'columns' },
    { of: 'arrangement', choice: 'beside', label: 'palette.beside', icon: 'columns' },
  ] as const
).map((action) => ({ ...action, id: `${action.of}-${action.choice}` }));

/** Only what would change something now. */
const furtherActions = (desktop: Desktop): readonly Action[] => [
  ...(desktop.getState().windows.length > 1 ? [{ id: 'tidy', label: 'windows.tidy', icon: 'squares-four' } as const] : []),
  ...lookActions.filter(({ of, choice }) => currentAppearance(of) !== choice),
];

import { useState } from 'react';
import type { Desktop } from '#desktop/desktop.store.ts';
import { opensByDownload } from '#lists/row-rules.ts';
import { Palette, type PaletteGroup } from '#kit/overlays/Palette.tsx';
import { ProgressLabel } from '#kit/feedback/Spinner.tsx';
import { downloadOwnDocument } from '#platform/download.ts';
import { t } from '#platform/language.ts';
import { fileNameOf, titleOf } from '#platform/metadata.ts';
import type { Right } from './menu.ts';
import { paletteActions, runPaletteAction } from './palette-actions.ts';
import { findMatch } from './palette-match.ts';
import { usePaletteDocuments } from './usePaletteDocuments.ts';

interface PaletteDialogProps {
  readonly desktop: Desktop;
  readonly rights: ReadonlySet<Right>;
  readonly onClose: () => void;
  readonly onAction: (id: string) => void;
}

/** One field for the open windows, the documents on the server and everything that the menus can do. */
export function PaletteDialog({ desktop, rights, onClose, onAction }: PaletteDialogProps) {
  const [query, setQuery] = useState('');
  const documents = usePaletteDocuments(query);
  const { windows } = desktop.getState();
  const asked = query.trim() !== '';

  const groups: readonly PaletteGroup[] = [
    {
      id: 'windows',
      label: t('windows.openWindows'),
      items: found(
        windows.map((window) => ({
          id: `window ${window.id}`,
          label: desktop.titleOf(window),
          face: { icon: desktop.kindOf(window.kind).icon },
        })),
        query,
      ),
    },
    { id: 'documents', label: asked ? t('palette.documents') : t('dashboard.recent'), items: documents.items },
    { id: 'actions', label: t('palette.actions'), items: found(paletteActions(rights, desktop), query) },
  ];
  const handleChoose = (chosen: string, { maximised }: { readonly maximised: boolean }) => {
    const [what = '', id = ''] = chosen.split(/ (.*)/s);
    if (what === 'action') return runPaletteAction(id, onAction);
    if (what === 'window') desktop.focus(id);
    const document = what === 'document' ? documents.find(id) : undefined;
    if (document !== undefined && opensByDownload(document, documents.ignoreMarkers)) {
      void downloadOwnDocument({ id, fileName: fileNameOf(document) });
      return undefined;
    }
    const windowId = document === undefined ? id : desktop.open('document', { id, title: titleOf(document) });
    if (maximised) desktop.maximise(windowId);
    return undefined;
  };
  return (
    <Palette query={query} onQuery={setQuery} groups={groups} note={noteOf(documents.state)} onChoose={handleChoose} onClose={onClose} />
  );
}

const noteOf = (state: 'ready' | 'busy' | 'failed') => {
  if (state === 'busy') return <ProgressLabel text={t('palette.searching')} />;
  return state === 'failed' ? t('palette.searchFailed') : undefined;
};

/** What a query leaves of the items, the best matches first, each with its letters marked. */
const found = <Item extends { readonly label: string }>(items: readonly Item[], query: string) =>
  items
    .flatMap((item) => {
      const match = findMatch(item.label, query);
      return match === undefined ? [] : [{ item: { ...item, marked: match.ranges }, rank: match.rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);

import type { KeyboardEvent } from 'react';
import { t } from '#platform/language.ts';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './FindBar.module.css';
import { indexOfChosen } from './find.store.ts';
import { useViewerState, type Viewer } from './useViewer.ts';

/** Floats over the pages: what is looked for, where one is among what was found. Enter goes on, Shift+Enter back, Escape closes. */
export function FindBar({ viewer, label }: { readonly viewer: Viewer; readonly label: string }) {
  const { setField, setQuery, go, hideBar } = viewer.find;
  const state = useViewerState(viewer, ({ find }) => find);
  const { hits, isSearching, query, unread } = state;
  const at = indexOfChosen(state);
  const nothing = hits.length === 0 ? t('viewer.findNothing') : undefined;
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      hideBar();
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const status = (): string => {
    if (query.trim() === '') return '';
    if (hits.length > 0) return t('viewer.findPlace', { at: at + 1, total: hits.length });
    return isSearching ? t('viewer.findSearching') : t('viewer.findNothing');
  };
  return (
    // Escape works wherever in the bar the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div className={css['bar']} role="search" aria-label={label} onKeyDown={handleKeyDown}>
      <label className={css['field']}>
        <Icon name="magnifying-glass" size="s" />
        <span className="visually-hidden">{t('viewer.find')}</span>
        <input
          ref={setField}
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          placeholder={t('viewer.findPlaceholder')}
          value={query}
          maxLength={200}
          onChange={(event) => setQuery(event.target.value)}
        />
      </label>
      <span className={css['place']}>
        {status()}
        {isSearching && hits.length > 0 && '…'}
        {unread > 0 && !isSearching && <small>{t('viewer.findUnread', { count: unread })}</small>}
      </span>
      <IconButton icon="caret-up" name={t('viewer.findPrevious')} disabledReason={nothing} onClick={() => go(-1)} />
      <IconButton icon="caret-down" name={t('viewer.findNext')} disabledReason={nothing} onClick={() => go(1)} />
      <IconButton icon="x" name={t('viewer.findClose')} onClick={hideBar} />
    </div>
  );
}

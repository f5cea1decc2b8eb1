import { type KeyboardEvent, type Ref } from 'react';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Icon } from '#kit/icons/Icon.tsx';
import css from './FindBar.module.css';
import type { Find } from './useFind.ts';

export interface FindTexts {
  readonly find: string;
  /** Names the bar as a part of its window. */
  readonly findBar: string;
  readonly findPlaceholder: string;
  readonly findNext: string;
  readonly findPrevious: string;
  readonly findClose: string;
  readonly findNothing: string;
  readonly findSearching: string;
  readonly findPlace: (at: number, total: number) => string;
  readonly findUnread: (pages: number) => string;
}

interface FindBarProps {
  readonly find: Find;
  readonly texts: FindTexts;
  readonly field: Ref<HTMLInputElement>;
  readonly onClose: () => void;
}

/** Floats over the pages: what is looked for, where one is among what was found. Enter goes on, Shift+Enter back, Escape closes. */
export function FindBar({ find, texts, field, onClose }: FindBarProps) {
  const { hits, isSearching, query, at, unread } = find;
  const nothing = hits.length === 0 ? texts.findNothing : undefined;
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
  };
  const handleFieldKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    find.go(event.shiftKey ? -1 : 1);
  };
  const status = (): string => {
    if (query.trim() === '') return '';
    if (hits.length > 0) return texts.findPlace(at + 1, hits.length);
    return isSearching ? texts.findSearching : texts.findNothing;
  };
  return (
    // Escape works wherever in the bar the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div className={css['bar']} role="search" aria-label={texts.findBar} onKeyDown={handleKeyDown}>
      <label className={css['field']}>
        <Icon name="magnifying-glass" size="s" />
        <span className="visually-hidden">{texts.find}</span>
        <input
          ref={field}
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          placeholder={texts.findPlaceholder}
          value={query}
          maxLength={200}
          onChange={(event) => find.setQuery(event.target.value)}
          onKeyDown={handleFieldKey}
        />
      </label>
      <span className={css['place']}>
        {status()}
        {isSearching && hits.length > 0 && '…'}
        {unread > 0 && !isSearching && <small>{texts.findUnread(unread)}</small>}
      </span>
      <IconButton icon="caret-up" name={texts.findPrevious} disabledReason={nothing} onClick={() => find.go(-1)} />
      <IconButton icon="caret-down" name={texts.findNext} disabledReason={nothing} onClick={() => find.go(1)} />
      <IconButton icon="x" name={texts.findClose} onClick={onClose} />
    </div>
  );
}

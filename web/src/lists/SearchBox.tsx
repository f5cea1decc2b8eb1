import { listLimits } from '@pergamin/contract';
import { memo, useEffect, useEffectEvent } from 'react';
import { t } from '#platform/language.ts';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Select } from '#kit/forms/Select.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { useDraft } from './useDraft.ts';

/** The search of a list. */
export interface ListSearch {
  readonly label: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly place?: SearchPlace | undefined;
}

interface SearchPlace {
  readonly inContents: boolean;
  readonly onChange: (inContents: boolean) => void;
}

interface SearchBoxProps extends Omit<ListSearch, 'place'> {
  readonly focusAtOnce?: boolean;
}

/** A search that begins half a second after the last key (E1), or at once by Enter. Another page or order does not change it. */
export const SearchBox = memo(function SearchBox({ label, text, onSearch, focusAtOnce = false }: SearchBoxProps) {
  const { draft: typed, change: setTyped } = useDraft(text, (sought) => sought);
  const searchLater = useEffectEvent(onSearch);
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => searchLater(typed), listLimits.searchDebounceMs);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <form
      role="search"
      // Several lists stand on one desk, each with a search of its own.
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== text) onSearch(typed);
      }}
    >
      <TextField
        label={label}
        labelHidden
        type="search"
        icon="magnifying-glass"
        placeholder={label}
        value={typed}
        maxLength={listLimits.textMaxLength}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        // It is opened by its own button.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={focusAtOnce}
        onChange={(event) => setTyped(event.target.value)}
        trailing={
          typed === '' ? undefined : (
            <IconButton
              icon="x"
              size="s"
              name={t('list.clearSearch')}
              onClick={(event) => {
                event.currentTarget.closest('form')?.querySelector('input')?.focus();
                setTyped('');
                if (text !== '') onSearch('');
              }}
            />
          )
        }
      />
    </form>
  );
});

/** Where a text is sought: in what the list says of documents, or on their pages. */
export const SearchPlaceSelect = memo(function SearchPlaceSelect({ inContents, onChange }: SearchPlace) {
  return (
    <Select
      label={t('search.where')}
      labelHidden
      options={[
        { id: 'details', label: t('search.inDetails') },
        { id: 'contents', label: t('search.inContents') },
      ]}
      value={inContents ? 'contents' : 'details'}
      onChange={(id) => onChange(id === 'contents')}
    />
  );
});

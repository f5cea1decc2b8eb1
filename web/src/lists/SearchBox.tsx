import { listLimits } from '@pergamin/contract';
import { useEffect, useRef, useState } from 'react';
import { t } from '#platform/language.ts';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { Select } from '#kit/forms/Select.tsx';
import { TextField } from '#kit/forms/TextField.tsx';
import { useLatest } from '#kit/hooks/useLatest.ts';

interface SearchBoxProps {
  readonly label: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly focusAtOnce?: boolean;
}

export interface SearchPlace {
  readonly inContents: boolean;
  readonly onChange: (inContents: boolean) => void;
}

/** The search of a list. */
export interface ListSearch {
  readonly label: string;
  readonly text: string;
  readonly onSearch: (text: string) => void;
  readonly place?: SearchPlace | undefined;
}

/** Where a text is sought: in what the list says of documents, or on their pages. */
export function SearchPlaceSelect({ inContents, onChange }: SearchPlace) {
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
}

/** A search that begins half a second after the last key (E1), or at once by Enter. */
export function SearchBox({ label, text, onSearch, focusAtOnce = false }: SearchBoxProps) {
  const [typed, setTyped] = useState(text);
  const [seen, setSeen] = useState(text);
  if (seen !== text) {
    setSeen(text);
    setTyped(text);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = useLatest((wanted: string) => {
    clearTimeout(timer.current);
    if (wanted !== text) onSearch(wanted);
  });
  const type = (next: string) => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(next), listLimits.searchDebounceMs);
  };
  return (
    <form
      role="search"
      // Several lists stand on one desk, each with a search of its own.
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        search(typed);
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
        onChange={(event) => type(event.target.value)}
        trailing={
          typed === '' ? undefined : (
            <IconButton
              icon="x"
              size="s"
              name={t('list.clearSearch')}
              onClick={(event) => {
                event.currentTarget.closest('form')?.querySelector('input')?.focus();
                setTyped('');
                search('');
              }}
            />
          )
        }
      />
    </form>
  );
}

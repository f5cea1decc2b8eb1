import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay } from 'react-aria-components';
import { commandKey } from '#platform/command-key.ts';
import { t } from '#platform/language.ts';
import { announce } from '#kit/feedback/Announcer.tsx';
import { useAfterwards } from '#kit/hooks/useAfterwards.ts';
import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import { Seal } from '#kit/seal/Seal.tsx';
import { IconButton } from '#kit/buttons/IconButton.tsx';
import { classes } from '#kit/styles/classes.ts';
import css from './Palette.module.css';
import surface from './Surface.module.css';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** The letters that were asked for: [start, end) of the label. */
  readonly marked?: readonly (readonly [start: number, end: number])[];
  /** A second line of machine values. */
  readonly detail?: string | undefined;
  /** The face: a document's seal by its checksum, or an icon. */
  readonly face: { readonly icon: IconName } | { readonly sha256: string };
  readonly keys?: string | undefined;
}

export interface PaletteGroup {
  readonly id: string;
  readonly label: string;
  readonly items: readonly PaletteItem[];
}
export interface PaletteProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly groups: readonly PaletteGroup[];
  /** Below the groups: what is still being looked for, or could not be. */
  readonly note?: ReactNode;
  /** Called when it has gone, so that what was chosen may take the focus. `maximised`: with Ctrl. */
  readonly onChoose: (id: string, how: { readonly maximised: boolean }) => void;
  readonly onClose: () => void;
}

const spokenAfterMs = 700;
const legend = [
  { keys: ['↑', '↓'], text: 'palette.keyMove' },
  { keys: ['↵'], text: 'palette.keyOpen' },
  { keys: [commandKey, '↵'], text: 'palette.keyMaximised' },
] as const;

/** A field and what it finds, in groups: arrows choose, Enter opens; the focus never leaves the field. */
export function Palette({ query, onQuery, groups, note, onChoose, onClose }: PaletteProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const afterwards = useAfterwards();
  const items = groups.flatMap((group) => group.items);
  const [wanted, setWanted] = useState<string>();
  const active = items.find((item) => item.id === wanted) ?? items[0];
  useSpokenCount(t('palette.results', { count: items.length }), query);

  const choose = (itemId: string, maximised: boolean) => {
    afterwards(() => onChoose(itemId, { maximised }));
    onClose();
  };
  const move = (step: number) => {
    const at = items.findIndex((item) => item === active);
    const next = items[(at + step + items.length) % items.length];
    if (next === undefined) return;
    setWanted(next.id);
    document.getElementById(`${id}-${next.id}`)?.scrollIntoView({ block: 'nearest' });
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Enter' && active !== undefined) choose(active.id, event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return (
    <ModalOverlay className={classes(surface['scrim'], css['scrim'])} isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className={classes(surface['modal'], css['modal'])}>
        <AriaDialog ref={sayModal} className={css['dialog'] ?? ''} aria-label={t('palette.title')}>
          <div className={css['field']}>
            <Icon name="magnifying-glass" size="l" />
            <input
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog's first field takes the focus
              autoFocus
              type="text"
              role="combobox"
              aria-label={t('palette.title')}
              aria-expanded={items.length > 0}
              aria-controls={`${id}-list`}
              aria-autocomplete="list"
              aria-activedescendant={active && `${id}-${active.id}`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              enterKeyHint="go"
              placeholder={t('palette.field')}
              value={query}
              onChange={(event) => {
                setWanted(undefined);
                onQuery(event.target.value);
                list.current?.scrollTo({ top: 0 });
              }}
              onKeyDown={handleKeyDown}
            />
            <kbd className={css['esc']} aria-hidden="true">
              Esc
            </kbd>
            <IconButton icon="x" name={t('palette.close')} onClick={onClose} />
          </div>
          <div ref={list} id={`${id}-list`} className={css['list']} role="listbox" aria-label={t('palette.title')} tabIndex={-1}>
            {groups.map(
              (group) =>
                group.items.length > 0 && (
                  <div key={group.id} className={css['group']} role="group" aria-labelledby={`${id}-group-${group.id}`}>
                    <p id={`${id}-group-${group.id}`} className={css['head']}>
                      {group.label}
                    </p>
                    {group.items.map((item) => (
                      <PaletteOption
                        key={item.id}
                        id={`${id}-${item.id}`}
                        item={item}
                        active={item === active}
                        onPoint={() => setWanted(item.id)}
                        onPress={(maximised) => choose(item.id, maximised)}
                      />
                    ))}
                  </div>
                ),
            )}
          </div>
          {items.length === 0 && note === undefined && (
            <p className={css['nothing']}>
              <b>{t('palette.nothing')}</b>
              {t('palette.nothingLead')}
            </p>
          )}
          {note !== undefined && <div className={css['note']}>{note}</div>}
          <p className={css['legend']}>
            {legend.map(({ keys, text }) => (
              <span key={text}>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
                {t(text)}
              </span>
            ))}
          </p>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The library hides the page behind, but does not say so. */
const sayModal = (dialog: HTMLElement | null): void => dialog?.setAttribute('aria-modal', 'true');

/** How many there are is said when it changes, but not over every letter that is typed. */
function useSpokenCount(sentence: string, query: string): void {
  useEffect(() => {
    if (query === '') return undefined;
    const timer = setTimeout(() => announce(sentence), spokenAfterMs);
    return () => clearTimeout(timer);
  }, [sentence, query]);
}

interface PaletteOptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onPress: (maximised: boolean) => void;
}

function PaletteOption({ id, item: { label, marked = [], detail, face, keys }, active, onPoint, onPress }: PaletteOptionProps) {
  return (
    // The field has the focus and the keys; this row is for the pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      className={css['option']}
      role="option"
      aria-selected={active}
      onPointerMove={active ? undefined : onPoint}
      onClick={(event) => onPress(event.ctrlKey || event.metaKey)}
    >
      <span className={css['face']}>{'sha256' in face ? <Seal sha256={face.sha256} size={32} /> : <Icon name={face.icon} />}</span>
      <span className={css['words']}>
        <span className={css['label']}>{withMarks(label, marked)}</span>
        {detail !== undefined && <span className="num">{detail}</span>}
      </span>
      {keys !== undefined && <kbd>{keys}</kbd>}
      {active && (
        <kbd className={css['enter']} aria-hidden="true">
          ↵
        </kbd>
      )}
    </div>
  );
}

const withMarks = (text: string, marked: readonly (readonly [number, number])[]) => {
  const starts = [0, ...marked.map(([, end]) => end)];
  return starts.map((start, i) => {
    const [from = text.length, to = text.length] = marked[i] ?? [];
    return (
      <span key={start}>
        {text.slice(start, from)}
        {from < to && <mark>{text.slice(from, to)}</mark>}
      </span>
    );
  });
};

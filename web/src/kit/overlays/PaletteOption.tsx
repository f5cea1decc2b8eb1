import { Icon } from '#kit/icons/Icon.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import css from './Palette.module.css';
import { Seal } from '#kit/seal/Seal.tsx';

export interface PaletteItem {
  readonly id: string;
  readonly label: string;
  /** The letters that were asked for: [start, end) of the label. */
  readonly marked?: readonly (readonly [start: number, end: number])[];
  /** A second line of machine values. */
  readonly detail?: string | undefined;
  /** The face: a document's seal by its checksum, or an icon. */
  readonly face: { readonly icon: IconName } | { readonly sha256: string };
  /** Keys that do the same. */
  readonly keys?: string | undefined;
}

interface PaletteOptionProps {
  readonly id: string;
  readonly item: PaletteItem;
  readonly active: boolean;
  readonly onPoint: () => void;
  readonly onPress: (maximised: boolean) => void;
}

const sealSizePx = 32;

export function PaletteOption({ id, item: { label, marked = [], detail, face, keys }, active, onPoint, onPress }: PaletteOptionProps) {
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
      <span className={css['face']}>{'sha256' in face ? <Seal sha256={face.sha256} size={sealSizePx} /> : <Icon name={face.icon} />}</span>
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

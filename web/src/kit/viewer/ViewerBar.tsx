import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { t } from '#platform/language.ts';
import { Button } from '#kit/buttons/Button.tsx';
import { IconButton, type IconButtonProps } from '#kit/buttons/IconButton.tsx';
import type { IconName } from '#kit/icons/icon-names.generated.ts';
import type { MenuEntry } from '#kit/overlays/menu-entry.ts';
import { MenuButton } from '#kit/overlays/MenuButton.tsx';
import { Select } from '#kit/forms/Select.tsx';
import type { Panel } from './usePanels.ts';
import { useViewerState, type Viewer } from './useViewer.ts';
import { percentOf } from './viewer.state.ts';
import css from './ViewerBar.module.css';
import { nextZoom, type Zoom, zoomSteps } from './zoom.ts';

/** A button where there is room, an entry of the menu where there is not. */
export interface ViewerAction {
  readonly id: string;
  readonly icon: IconName;
  readonly name: string;
  /** Part of the name, seen beside the icon on a phone, where no tooltip tells what it is. */
  readonly word?: string;
  readonly onClick: () => void;
  /** Shown by the button as pressed: what it opens is open. */
  readonly isOn?: boolean;
  readonly disabledReason?: string | undefined;
  /** Stays a button in a narrow bar, or even in a phone's; it is in the menu then as well, unless it is always a button. */
  readonly staysIn?: 'narrow' | 'phone';
}

interface ViewerBarProps {
  readonly viewer: Viewer;
  readonly thumbnails: Panel | undefined;
  /** `verdict`: what the details say first, seen on their button where there is room. */
  readonly details: (Panel & { readonly verdict?: string | undefined }) | undefined;
  readonly actions: readonly ViewerAction[];
}

export function ViewerBar({ viewer, thumbnails, details, actions }: ViewerBarProps) {
  const { count, sizes, goTo, setZoom, rotate } = viewer;
  const state = useViewerState(viewer, (all) => all);
  const { page, zoom } = state;
  const percent = percentOf(state, sizes);
  const fitPercent = percentOf(state, sizes, 'width');
  const smaller = nextZoom(percent, -1, fitPercent);
  const larger = nextZoom(percent, 1, fitPercent);
  const smallest = smaller === undefined ? t('viewer.percent', { percent }) : undefined;
  const largest = larger === undefined ? t('viewer.percent', { percent }) : undefined;
  const atStart = page <= 1 ? t('viewer.atStart') : undefined;
  const atEnd = page >= count ? t('viewer.atEnd') : undefined;
  const steps = typeof zoom === 'number' && !zoomSteps.includes(zoom) ? [...zoomSteps, zoom].sort((a, b) => a - b) : zoomSteps;
  return (
    <div className={css['bar']} role="group" aria-label={t('viewer.toolbar')}>
      {thumbnails && (
        <>
          <IconButton
            icon="sidebar-simple"
            name={t(thumbnails.shown ? 'viewer.hideThumbnails' : 'viewer.thumbnails')}
            aria-expanded={thumbnails.shown}
            onClick={thumbnails.onToggle}
          />
          <span className={css['line']} />
        </>
      )}
      <PlacedButton place="wide" icon="arrow-line-up" name={t('viewer.firstPage')} disabledReason={atStart} onClick={() => goTo(1)} />
      <PlacedButton place="step" icon="caret-up" name={t('viewer.previousPage')} disabledReason={atStart} onClick={() => goTo(page - 1)} />
      <PageField {...{ page, count, goTo }} />
      <PlacedButton place="step" icon="caret-down" name={t('viewer.nextPage')} disabledReason={atEnd} onClick={() => goTo(page + 1)} />
      <PlacedButton place="wide" icon="arrow-line-down" name={t('viewer.lastPage')} disabledReason={atEnd} onClick={() => goTo(count)} />
      <span className={css['middle']}>
        <span className={css['line']} />
        <IconButton icon="minus" name={t('viewer.zoomOut')} disabledReason={smallest} onClick={() => setZoom(smaller ?? zoom)} />
      </span>
      <span className={css['zoom']}>
        <Select
          label={t('viewer.zoom')}
          labelHidden
          size="s"
          value={String(zoom)}
          onChange={(id) => setZoom(id === 'width' || id === 'page' ? id : Number(id))}
          options={[
            { id: 'width', label: t('viewer.fitWidth') },
            { id: 'page', label: t('viewer.fitPage') },
            ...steps.map((step) => ({ id: String(step), label: t('viewer.percent', { percent: step }) })),
          ]}
        />
      </span>
      <PlacedButton place="middle" icon="plus" name={t('viewer.zoomIn')} disabledReason={largest} onClick={() => setZoom(larger ?? zoom)} />
      <PlacedButton place="wide" icon="arrow-clockwise" name={t('viewer.rotate')} onClick={rotate} />
      <span className={css['gap']} />
      {actions.map((action) => (
        <span key={action.id} className={css[placeOf(action)]}>
          <ActionButton action={action} />
        </span>
      ))}
      <span className={css['narrow']}>
        <MoreMenu {...{ viewer, actions, smaller, larger }} />
      </span>
      {details && <DetailsButton {...details} />}
    </div>
  );
}

/** A button that goes when the bar is too narrow for its place. */
const PlacedButton = ({ place, ...button }: IconButtonProps & { readonly place: 'wide' | 'middle' | 'step' }) => (
  <span className={css[place]}>
    <IconButton {...button} />
  </span>
);

/** The page number as a field: Enter goes there, Escape and leaving put the present number back. */
function PageField({ page, count, goTo }: Pick<Viewer, 'count' | 'goTo'> & { readonly page: number }) {
  const [typed, setTyped] = useState<string>();
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = Number(typed);
    if (Number.isInteger(wanted) && wanted >= 1) goTo(Math.min(wanted, count));
    setTyped(undefined);
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && typed !== undefined) {
      event.stopPropagation();
      setTyped(undefined);
    }
  };
  return (
    <form className={css['page']} onSubmit={handleSubmit}>
      <input
        className={css['number']}
        aria-label={t('viewer.currentPage')}
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? String(page)}
        onChange={(event) => setTyped(event.target.value.replace(/\D/g, '').slice(0, 5))}
        onFocus={(event) => event.target.select()}
        onBlur={() => setTyped(undefined)}
        onKeyDown={handleKeyDown}
      />
      <span className={css['total']}>{t('viewer.ofTotal', { total: count })}</span>
    </form>
  );
}

const buttonPlaces = { narrow: 'middle', phone: 'always' } as const;
const placeOf = ({ staysIn }: ViewerAction): string => (staysIn === undefined ? 'wide' : buttonPlaces[staysIn]);

function ActionButton({ action: { icon, name, word, isOn, disabledReason, onClick } }: { readonly action: ViewerAction }) {
  const button = <IconButton icon={icon} name={name} aria-pressed={isOn} disabledReason={disabledReason} onClick={onClick} />;
  if (word === undefined) return button;
  return (
    <>
      <span className={css['wordless']}>{button}</span>
      <span className={css['worded']}>
        <Button kind="quiet" size="s" icon={icon} aria-label={name} onClick={onClick}>
          {word}
        </Button>
      </span>
    </>
  );
}

function DetailsButton({ shown, onToggle, verdict }: NonNullable<ViewerBarProps['details']>) {
  const name = t(shown ? 'viewer.hideDetails' : 'viewer.details');
  if (verdict === undefined) return <IconButton icon="info" name={name} aria-expanded={shown} onClick={onToggle} />;
  const named = `${verdict}. ${name}`;
  return (
    <>
      <span className={css['verdictless']}>
        <IconButton icon="seal-check" name={named} aria-expanded={shown} onClick={onToggle} />
      </span>
      <span className={css['verdict']}>
        <Button kind="quiet" size="s" icon="seal-check-fill" aria-label={named} aria-expanded={shown} onClick={onToggle}>
          {verdict}
        </Button>
      </span>
    </>
  );
}

/** What has no room in a narrow bar. */
function MoreMenu({
  viewer,
  actions,
  ...steps
}: Pick<ViewerBarProps, 'viewer' | 'actions'> & Record<'smaller' | 'larger', Zoom | undefined>) {
  const zoom = useViewerState(viewer, (state) => state.zoom);
  const hidden = actions.filter(({ staysIn }) => staysIn !== 'phone');
  const zooms: Readonly<Record<string, Zoom | undefined>> = { ...steps, width: 'width', page: 'page' };
  const entries: readonly MenuEntry[] = [
    { id: 'larger', label: t('viewer.zoomIn'), icon: 'plus' },
    { id: 'smaller', label: t('viewer.zoomOut'), icon: 'minus' },
    { id: 'width', label: t('viewer.fitWidth'), current: zoom === 'width' },
    { id: 'page', label: t('viewer.fitPage'), current: zoom === 'page' },
    { id: 'rotate', label: t('viewer.rotate'), icon: 'arrow-clockwise' },
    ...(hidden.length > 0 ? [{ separator: 'actions' }] : []),
    ...hidden.map(({ id, name, icon, disabledReason, isOn }) => ({ id, label: name, icon, disabledReason, current: isOn })),
  ];
  const handleAction = (id: string): void => {
    const next = zooms[id];
    if (next !== undefined) viewer.setZoom(next);
    else if (id === 'rotate') viewer.rotate();
    else hidden.find((action) => action.id === id)?.onClick();
  };
  return <MenuButton icon="dots-three" name={t('viewer.more')} placement="bottom end" entries={entries} onAction={handleAction} />;
}
